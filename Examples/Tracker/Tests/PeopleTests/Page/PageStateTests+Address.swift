import Testing
import TrackerTestSupport

/// Tests for the filters in the page URL.
extension PageStateTests {
  @Test(arguments: [
    "", "?name=%F0%9F%9A%80+a%26b", "?types=O%2B%2CAB-", "?types=", "?from=40&to=42.5",
    "?name=ann&types=A-&from=40&order=size",
  ])
  func filtersAreReadAsTheyWereWritten(query: String) async throws {
    let result = try await result(
      """
      const { filters, notice } = filtersIn('\(query)');
      return [queryOf(filters), notice];
      """)
    #expect(result == [.string(query), ""])
  }

  @Test(arguments: [
    ("types=C%2B", "“C+”, which is no blood type"),
    ("types=%3Cscript%3Ealert(1)%3C/script%3E,", "“<script>alert(1)</sc…”, which"),
    ("types=%E2%80%AE%00x", "“x”, which is no blood type"), ("from=NaN", "the shoe sizes"),
    ("from=45&to=40", "the shoe sizes"), ("to=1e1", "the shoe sizes"), ("from=-40", "the shoe"),
    ("from=42.25", "the shoe sizes"), ("order=price", "“price”, which is no order"),
    ("order=__proto__", "“__proto__”, which is no order"),
    ("name=" + String(repeating: "a", count: 201), "the name"),
    ("name=%&types=%&order=%", "“%”, which is no blood type; “%”, which is no order"),
  ])
  func whatIsNoFilterIsLeftOutWithAWord(query: String, word: String) async throws {
    let result = try await result(
      """
      const { filters, notice } = filtersIn('?\(query)');
      return [notice, queryOf({ ...filters, name: '' })];
      """)
    let notice = result.elements[0].text ?? ""
    #expect(notice.hasPrefix("Of this address some is left out: ") && notice.contains(word))
    #expect(result.elements[1] == "" && notice.count < 250)
  }
}
