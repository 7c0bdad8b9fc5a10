import PebblesPictures
import Testing

@Suite struct ColumnTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("한글", 4), ("ｆ", 2), ("…", 1),
    ("👨‍👩‍👧", 2), ("🇨🇭", 2), ("✓✗⊘", 3), ("❤\u{FE0F}", 2), ("\u{200B}", 0), ("├─ █", 4),
  ])
  func charactersTakeTheColumnsThatTerminalsGiveThem(_ text: String, _ columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
    ("漢字漢字", 5, "漢字…"), ("漢字漢字", 6, "漢字…"), ("漢字漢字", 4, "漢…"),
  ])
  func textIsCutToTheRoomThereIs(_ text: String, _ most: Int, _ expected: String) {
    #expect(text.cut(toColumns: most) == expected)
    #expect(text.cut(toColumns: most).columns <= most)
  }

  @Test func paddingCountsColumns() {
    #expect("漢".padded(toColumns: 4) == "漢  ")
    #expect("漢".leftPadded(toColumns: 4) == "  漢")
    #expect("long".padded(toColumns: 2) == "long")
  }
}
