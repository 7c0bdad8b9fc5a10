import Foundation
import GRDB
import Testing

@testable import TrackerCore

@Suite struct LaunchSearchTests {
  private static let launches: [Launch] = [
    .named("FalconSat", "Engine failure at 33 seconds and loss of vehicle", day: 1),
    .named("DemoSat", "Successful first stage burn", day: 2),
    .named("Falcon Heavy Test Flight", "The maiden flight of Falcon Heavy", day: 3),
    .named("Starlink 4-2", "Rides on a Falcon 9", day: 4),
    .named("Crème Brûlée", "Ångström, naïve, Ωmega", day: 5),
    .named("Türksat 5A", nil, day: 6),
    .named("ИСТОК", "Связь", day: 7),
    .named("衛星 一号", "日本語", day: 8),
  ]

  @Test func withoutAQueryTheNewestComeFirst() async throws {
    let database = try SearchDatabase(Self.launches)

    let newest = Self.launches.reversed().map(\.name)
    #expect(try await database.names("") == newest)
    #expect(try await database.names(" \n\t ") == newest)
    #expect(try await database.names("", pageSize: 3) == newest)
  }

  @Test(arguments: [
    ("falcon", ["Falcon Heavy Test Flight", "FalconSat", "Starlink 4-2"]),
    ("FAL", ["Falcon Heavy Test Flight", "FalconSat", "Starlink 4-2"]),
    ("heavy fal", ["Falcon Heavy Test Flight"]),
    ("falcon engine", ["FalconSat"]),
    ("sat", []),
    ("creme brulee", ["Crème Brûlée"]),
    ("CRÈME", ["Crème Brûlée"]),
    ("cre\u{301}me", ["Crème Brûlée"]),
    ("angstrom NAIVE", ["Crème Brûlée"]),
    ("turksat", ["Türksat 5A"]),
    ("исток связь", ["ИСТОК"]),
    ("衛", ["衛星 一号"]),
    ("4-2", ["Starlink 4-2"]),
    ("falcon falcon FALCON fal", ["Falcon Heavy Test Flight", "FalconSat", "Starlink 4-2"]),
  ])
  func everyWordIsTheBeginningOfOne(query: String, names: [String]) async throws {
    let database = try SearchDatabase(Self.launches)

    #expect(try await database.names(query) == names)
    #expect(try await database.names(query, pageSize: 1) == names)
  }

  @Test func aYearIsLookedForAsAWhole() async throws {
    let database = try SearchDatabase([
      .named("Crew-2", "astronauts", day: 18_740), .named("Crew-3", day: 18_942),
      .named("Crew-1", day: 18_581), .named("Starlink 2021", day: 1),
    ])

    #expect(try await database.names("crew 2021") == ["Crew-3", "Crew-2"])
    #expect(try await database.names("2021 astronauts") == ["Crew-2"])
    #expect(try await database.names("2021") == ["Starlink 2021", "Crew-3", "Crew-2"])
    #expect(try await database.names("202") == ["Starlink 2021"])
    #expect(try await database.names("2021 2020").isEmpty)
  }

  @Test(arguments: [Int64.min, -62_167_219_201, 253_402_300_800, .max])
  func aDateThatNoCalendarHasIsOfNoYear(date: Int64) async throws {
    var launch = Launch.named("Alpha", id: "a")
    launch.date = date
    let database = try SearchDatabase([launch])

    #expect(try await database.names("alpha") == ["Alpha"])
    #expect(try await database.names("2021").isEmpty)
    #expect(try await !mendSearchIndex(in: database.pool))
  }

  @Test(arguments: [
    "\"", "\"\"", "'", "falcon\"", "\"falcon", "*", "^falcon", "fal*", "-falcon", "+falcon", "(",
    ")",
    "falcon AND", "AND", "OR OR", "NOT falcon", "NEAR(falcon heavy, 1)", "name:falcon",
    "{name details}:falcon", "name : ", "details:\"x\" OR name:*", "; DROP TABLE launch; --",
    "🚀", "👩‍🚀🧑🏿‍🚀", "\u{0}", "fal\u{0}con", "\u{202E}noclaf\u{202C}", "שלום עולם", "\u{FFFD}",
    "\u{301}", "a\u{301}\u{301}\u{301}", "%", "_", "\\", "?", ":all", "@1", "$1", "＂falcon＂",
    "\u{FEFF}falcon", "ẞ", "İstanbul", "ﬁ", "\u{E000}", "\u{10FFFF}", "x'00'", "\r\n",
  ])
  func aQueryIsTextAndNeverSyntax(query: String) async throws {
    let database = try SearchDatabase(Self.launches + [.named(query, query, day: 9, id: "self")])

    let page = try await database.page(of: query)

    // What stands in a launch as it is finds it, if there is a word in it at all. Behind a zero the
    // database keeps nothing.
    let words =
      query.contains("\0")
      ? false : query.unicodeScalars.contains { $0.properties.isAlphabetic || ("0"..."9") ~= $0 }
    if words { #expect(page.launches.map(\.id).contains("self")) }
    #expect(try await database.names("").count == Self.launches.count + 1)
  }

  @Test func wordsOfSyntaxAreWords() async throws {
    let database = try SearchDatabase([
      .named("Cargo and Crew", day: 1), .named("Cargo", day: 2), .named("near or not", day: 3),
    ])

    #expect(try await database.names("cargo AND crew") == ["Cargo and Crew"])
    #expect(try await database.names("cargo OR crew").isEmpty)
    #expect(try await database.names("NEAR") == ["near or not"])
    #expect(try await database.names("NOT") == ["near or not"])
  }

  @Test func whatIsNoWordFindsNothing() async throws {
    let database = try SearchDatabase(Self.launches)

    for query in ["🚀", "\"", "- -", "\u{0}"] {
      #expect(try await database.names(query).isEmpty)
    }
    #expect(try await database.names("🚀 heavy") == ["Falcon Heavy Test Flight"])
  }

  @Test func aMegabyteIsText() async throws {
    let database = try SearchDatabase(Self.launches)

    let oneWord = try await database.page(of: String(repeating: "x", count: 1 << 20))
    #expect(oneWord.launches.isEmpty && oneWord.total == 0 && oneWord.next == nil)
    let repeated = try await database.page(of: String(repeating: "heavy ", count: 1 << 17))
    #expect(repeated.launches.map(\.name) == ["Falcon Heavy Test Flight"])
    let quotes = try await database.page(of: String(repeating: "\"", count: 1 << 20))
    #expect(quotes.launches.isEmpty)
    let manyWords = (0..<100_000).map { "w\($0)" }.joined(separator: " ")
    await #expect(throws: SearchRefusal.tooManyWords(100_000)) {
      try await database.page(of: manyWords)
    }
    let most = (0..<SearchQuery.mostWords).map { "w\($0)" }.joined(separator: " ")
    #expect(try await database.page(of: most).launches.isEmpty)
  }

  @Test func wordsInTheNameComeBeforeWordsInTheDetails() async throws {
    let database = try SearchDatabase([
      .named("Other", "about starlink", day: 50),
      .named("Starlinks", "x", day: 30),
      .named("Starlink", "x", day: 1),
      .named("Starlink Again", "x", day: 2),
    ])

    #expect(
      try await database.names("starlink") == ["Starlink Again", "Starlink", "Starlinks", "Other"])
  }

  @Test func noTermIsTooOddForTheIndex() async throws {
    var random = SystemRandomNumberGenerator()
    let database = try SearchDatabase(Self.launches)
    for _ in 0..<500 {
      let scalars = (0..<20).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0..<(Bool.random() ? 0x80 : 0x11_0000), using: &random))
      }
      let query = String(String.UnicodeScalarView(scalars))
      _ = try await database.page(of: query)
    }
  }
}
