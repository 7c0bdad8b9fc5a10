import Testing

@testable import Pebbles

/// Tests that the quick check reports names as distinct only if they are, wherever they differ.
@Suite struct QuickNameCheckTests {
  private func areDistinct(_ names: [String]) -> Bool {
    let list = StableList<String>()
    for name in names { list.append(name) }
    return QuickNameCheck.areDistinctAndASCII(StableSlice(list))
  }

  /// Checks names that differ in a single character. The probability that the check mistakes two of
  /// them for the same name is about one in four billion.
  @Test(arguments: 1...20)
  func everyCharacterCounts(length: Int) {
    let plain = Array(repeating: Character("a"), count: length)
    var names = [String(plain)]
    for place in 0..<length {
      var name = plain
      name[place] = "b"
      names.append(String(name))
      name[place] = "é"

      #expect(!areDistinct([String(name)]), "\(place)")
    }

    #expect(areDistinct(names))
    for name in names { #expect(!areDistinct(names + [name]), "\(name)") }
  }

  @Test func anEmptyNameIsLeftToOthers() {
    #expect(!areDistinct(["a", ""]))
    #expect(areDistinct([]))
  }
}
