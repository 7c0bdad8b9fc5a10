import Testing

@testable import People

@Suite struct FilterTests {
  private let people = People.some

  /// Checks every person, and returns the numbers of those for whom a closure returns `true`.
  private func numbers(where holds: (Person) -> Bool) -> [Int] {
    (0..<people.count).filter { holds(people[$0]) }
  }

  private func numbers(in set: PersonSet) -> [Int] {
    #expect(set.count == (0..<people.count).count(where: set.contains))
    return (0..<people.count).filter(set.contains)
  }

  @Test(arguments: [
    "a", "ann", "ANNA", "ánn", "ann b", "b ann", "a a", "o'b", "obr", "brien", "zoe", "ZOË", "ł",
    "지", "ᄌ", "م", "🏔", "xyzzy", "a b c d e f", "\u{202E}ann", "an\u{0}be",
  ])
  func everyWordBeginsAWordOfTheName(text: String) throws {
    let words = SearchWords.words(of: text)
    let expected = numbers { person in
      let entries = person.name.split(separator: " ").flatMap {
        SearchWords.entries(of: String($0))
      }
      return words.allSatisfy { word in entries.contains { $0.utf8.starts(with: word.utf8) } }
    }
    #expect(try numbers(in: NameFilter(text).matches(in: people)) == expected)
    if text == "xyzzy" || text == "🏔" { #expect(expected.isEmpty) }
  }

  @Test(arguments: ["", " ", "\u{0}", "\u{202E}", "...", "'"])
  func blanksAreNoFilter(text: String) throws {
    #expect(try NameFilter(text).matchesEverybody)
  }

  @Test func caseAccentsAndRepetitionMakeNoOtherFilter() throws {
    #expect(try NameFilter("Zoë zo ZOE") == NameFilter("zoe"))
  }

  @Test func asManyWordsAsThereCanBeAreLookedFor() throws {
    let words = (0..<64).map { String(Unicode.Scalar(0x4E00 + $0)!) }
    #expect(try NameFilter(words.joined(separator: " ")).matches(in: people).count == 0)
    #expect {
      try NameFilter((words + ["a"]).joined(separator: " "))
    } throws: {
      "\($0)".contains("at most 64 words, and this one has 65")
    }
  }

  @Test(arguments: [String(repeating: "a", count: 201), String(repeating: "é ", count: 1_000_000)])
  func aTextThatIsTooLongIsRefused(text: String) {
    #expect {
      try NameFilter(text)
    } throws: {
      "\($0)".contains("at most 200 characters")
    }
  }

  @Test func bloodTypesAreASet() throws {
    for types: Set<BloodType> in [
      [.abNegative], [.oPositive, .bNegative], [], Set(BloodType.allCases),
    ] {
      let found = try BloodTypeFilter(types).matches(in: people)
      #expect(numbers(in: found) == numbers { types.contains($0.bloodType) })
    }
    #expect(try BloodTypeFilter(names: ["O+", "AB-", "O+"]).types == [.oPositive, .abNegative])
  }

  @Test(arguments: ["", "o+", "C+", "O+\u{0}", "O−"])
  func unknownBloodTypesAreRefused(name: String) {
    #expect {
      try BloodTypeFilter(names: ["A+", name])
    } throws: {
      "\($0)".contains("is not a blood type; there are O+, A+")
    }
  }

  @Test(arguments: [(30.0, 55.0), (40, 40), (40.5, 43), (30, 34.5), (55, 55)])
  func sizesAreARange(from: Double, to: Double) throws {
    let found = try ShoeSizeFilter(from: from, to: to).matches(in: people)
    #expect(numbers(in: found) == numbers { (from...to).contains($0.shoeSize.number) })
  }

  @Test func sizesNotGivenAreTheEnds() throws {
    #expect(try ShoeSizeFilter(from: nil, to: nil) == .all)
    #expect(try ShoeSizeFilter(from: 40, to: nil) == ShoeSizeFilter(from: 40, to: 55))
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, -1, 0, 29.5, 55.5, 42.25, 1e300, .leastNonzeroMagnitude,
  ])
  func whatIsNoSizeIsRefused(number: Double) {
    #expect {
      try ShoeSizeFilter(from: number, to: nil)
    } throws: {
      "\($0)".contains("is not a shoe size; there are whole and half ones from 30 to 55")
    }
  }

  @Test func reversedSizesAreRefused() {
    #expect {
      try ShoeSizeFilter(from: 43.5, to: 40)
    } throws: {
      "\($0)" == "No shoe size is both at least 43.5 and at most 40; swap them."
    }
  }

  @Test(arguments: [0, 1, 63, 64, 65, 128])
  func setsHaveNobodyBeyondTheLast(count: Int) throws {
    var set = PersonSet(everybodyOf: count)
    #expect(set.count == count)
    set.formIntersection(try PersonSet(of: count) { $0 % 3 == 0 })
    #expect(set == (try PersonSet(of: count) { $0 % 3 == 0 }))
    #expect(try set.numbers(inOrder: (0..<UInt32(count)).reversed()).count == (count + 2) / 3)
  }

  @Test func aCancelledSearchEndsAtOnce() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try PersonSet(of: 1 << 20) { _ in true }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aPanelSearchesOnlyAfterItsLeafHasChanged() throws {
    let panel = Panel(people, NameFilter.anything)
    #expect(try panel.answer() == nil)
    #expect(panel.searchCount == 0)

    panel.show(try NameFilter("ann"))
    let answer = try panel.answer()
    #expect(try panel.answer() == answer)
    panel.show(try NameFilter("ANN"))
    #expect(try panel.answer() == answer)
    #expect(panel.searchCount == 1)

    panel.show(try NameFilter("b"))
    #expect(try panel.answer() != answer)
    #expect(panel.searchCount == 2)
  }
}
