import Testing

@testable import TrackerCore

/// Tests that words are folded in the same way for marking as for searching.
@Suite struct LaunchMarksTests {
  /// Returns the texts of a launch, with brackets around the parts that a page would mark.
  private func marked(
    _ query: String, in name: String, details: String? = nil, day: Int = 0
  ) async throws -> [String] {
    let database = try SearchDatabase([.named(name, details, day: day, id: "x")])
    let page = try await database.page(of: query)
    let marks = page.marks["x"]
    return [bracketed(name, marks?.name ?? [])]
      + (details.map { [bracketed($0, marks?.details ?? [])] } ?? [])
  }

  private func bracketed(_ text: String, _ ranges: [Range<Int>]) -> String {
    var units = Array(text.utf16)
    for range in ranges.reversed() {
      units.insert(contentsOf: "]".utf16, at: range.upperBound)
      units.insert(contentsOf: "[".utf16, at: range.lowerBound)
    }
    return String(decoding: units, as: UTF16.self)
  }

  @Test(arguments: [
    ("fal", "Falcon Heavy", "[Fal]con Heavy"),
    ("heavy fal", "Falcon Heavy", "[Fal]con [Heavy]"),
    ("f falcon", "Falcon falco", "[Falcon] [f]alco"),
    ("creme", "Crème Brûlée", "[Crème] Brûlée"),
    ("crem", "Cre\u{301}me", "[Cre\u{301}m]e"),
    ("cre", "Cre\u{301}me", "[Cre\u{301}]me"),
    ("CRÈ", "crème", "[crè]me"),
    ("turk", "🚀Türksat 👩‍🚀 türk", "🚀[Türk]sat 👩‍🚀 [türk]"),
    ("исток", "ИСТОК", "[ИСТОК]"),
    ("衛", "衛星 一号", "[衛]星 一号"),
    ("4-2", "Starlink 4-2", "Starlink [4]-[2]"),
    ("x", "<b>x</b>", "<b>[x]</b>"),
    // A character whose marks are no letters to the index is not divided.
    ("ह", "हिन्दी", "[हि]न्दी"),
    ("e", "e\u{301}\u{489}\u{301}", "[e\u{301}\u{489}\u{301}]"),
  ])
  func theBeginningThatWasTypedIsMarked(query: String, name: String, expected: String) async throws
  {
    #expect(try await marked(query, in: name) == [expected])
  }

  @Test func detailsAreMarkedToo() async throws {
    #expect(
      try await marked("sat fal", in: "Sat One", details: "On a Falcon\nwith satellites")
        == ["[Sat] One", "On a [Fal]con\nwith [sat]ellites"])
  }

  @Test func theYearIsMarkedWhereItWasLookedFor() async throws {
    let database = try SearchDatabase([.named("Crew-2", day: 18_740, id: "x")])

    #expect(try await database.page(of: "crew 2021").marks["x"]?.year == true)
    #expect(try await database.page(of: "crew").marks["x"]?.year == false)
    #expect(try await database.page(of: "").marks.isEmpty)
  }

  /// Checks two identifiers that differ in the database, but are equal as Swift strings, so that a
  /// dictionary cannot hold marks for both.
  @Test func launchesWithEqualIdentifiersHaveNoMarks() async throws {
    let database = try SearchDatabase([
      .named("A heavy Falcon", id: "\u{E9}"), .named("Fal", id: "e\u{301}"),
      .named("Falcon", id: "x"),
    ])

    let page = try await database.page(of: "fal")

    #expect(page.launches.count == 3)
    #expect(Array(page.marks.keys) == ["x"])
    let document = try SearchDocument(page, query: "fal", isLaterPage: false, now: 0)
    #expect(document.rows.count { $0.name.contains(where: \.isMarked) } == 1)
  }

  @Test func aTextThatIsAllMatchesHasFewMarks() async throws {
    let name = String(repeating: "a ", count: 1 << 19)
    let database = try SearchDatabase([.named(name, id: "x")])

    let marks = try await database.page(of: "a").marks["x"]
    #expect(marks?.name.count == LaunchMarker.mostMarks)
  }

  @Test func anyTextIsMarkedAtCharacters() async throws {
    var random = SystemRandomNumberGenerator()
    let letters = [
      "a", "é", "e\u{301}", "\u{301}", "🇩🇪", "👩‍🚀", "ß", "ﬁ", "İ", " ", "\r\n", "क्ष", "각", "\0",
    ]
    for _ in 0..<100 {
      let name = (0..<30).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
      let query = String(name.prefix(Int.random(in: 1..<4, using: &random)))
      let database = try SearchDatabase([.named(name, id: "x")])
      let kept = try #require(try await database.page(of: "").launches.first).name
      for range in try await database.page(of: query).marks["x"]?.name ?? [] {
        let (start, end) = (
          String.Index(utf16Offset: range.lowerBound, in: kept),
          String.Index(utf16Offset: range.upperBound, in: kept)
        )
        #expect(start < end && kept.indices.contains(start), "\(query.debugDescription)")
        #expect(end == kept.endIndex || kept.indices.contains(end), "\(name.debugDescription)")
      }
    }
  }
}
