import Testing

@Suite struct RoomRuleTests {
  private static let plan = RoomPlan(
    markdown: """
      # Contributing

      | `Sources/Pebbles/Outside/` | of the section |

      ## Rooms

      | | |
      |---|---|
      | `Sources/Pebbles/Base/` | the ground |
      | `Sources/Pebbles/Engine/Heap/` | inside of the next one |
      | `Sources/Pebbles/Engine/` | |
      | `Sources/Pebbles/Report/` | |
      | `Sources/Pebbles/` | the public face |

      Of another target:

      | | |
      |---|---|
      | `Sources/PebblesTesting/Clock/` | |
      | `Tests/` | no room |

      ## Style

      | `Sources/Pebbles/Behind/` | the section |
      """)

  private static let homes = [
    file("Base/FlatArray", "struct FlatArray {}"),
    file("Engine/Heap/Heap", "struct Heap {}"),
    file("Report/Order", "@frozen\npublic struct SettleOrder {\n  struct Step {}\n}"),
    file("Report/Kind", "#if A\nindirect enum Kind {}\n#else\nenum Kind {}\n#endif"),
    file("Report/Kinds", "private struct Secret {}\nactor Teller {}"),
    file("Report/Aliases", "final class Log {}\nprotocol Told {}\npackage typealias Words = Int"),
    file("Report/Import", "import struct Foundation.Date\nextension Pond { struct Note {} }"),
    file("Pond", "public final class Pond {}"),
    SourceFile(path: "Sources/PebblesTesting/Clock/Clock.swift", text: "struct TestClock {}"),
  ]

  private static func file(_ path: String, _ text: String) -> SourceFile {
    SourceFile(path: "Sources/Pebbles/\(path).swift", text: text)
  }

  private func violations(_ path: String, _ text: String) -> [String] {
    let file = Self.file(path, text)
    return RoomRule(plan: Self.plan, files: Self.homes + [file]).violations(in: file)
      .map(\.description)
  }

  @Test func thePlanListsTheFoldersOfItsSection() {
    #expect(
      Self.plan.rooms.map(\.name) == [
        "Base", "Engine/Heap", "Engine", "Report", "Pebbles", "Clock",
      ])
    #expect(Self.plan.rooms.first == Room(folder: "Sources/Pebbles/Base", line: 9))
  }

  @Test(arguments: ["SettleOrder", "Kind", "Teller", "Log", "Told", "Words"])
  func aNameThatPointsUpIsFound(_ name: String) {
    #expect(
      violations("Engine/SettleLog", "struct SettleLog {\n  var order: [\(name)]\n}") == [
        "Sources/Pebbles/Engine/SettleLog.swift:2: names `\(name)` of Report, which is above Engine"
      ])
  }

  @Test func theFilesOfTheTargetItselfAreOnTop() {
    #expect(
      violations("Report/Text", "extension Pond {}") == [
        "Sources/Pebbles/Report/Text.swift:1: names `Pond` of Pebbles, which is above Report"
      ])
    #expect(violations("Pond+Text", "extension SettleOrder {}").isEmpty)
  }

  @Test func aNameIsToldOncePerFileWhereItStandsFirst() {
    let found = violations("Base/A", "\nlet a: Pond\nlet b: Log, c: Pond")

    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("Sources/Pebbles/Base/A.swift:2: names `Pond`") == true)
  }

  @Test(arguments: [
    "let a: FlatArray<Heap>", "struct Step {}\nlet a: Step", "let a: Note", "let a: Secret",
    "let a: Foundation.Date", "let a: TestClock", "struct Own { struct Log {}\n  let log: Log }",
    "let log: Other.Log", "/// Read by ``Pond``.\nlet a: Int  // a Pond", "let a = \"a Pond\"",
  ])
  func whatDoesNotPointUpPasses(_ text: String) {
    #expect(violations("Engine/A", text).isEmpty)
  }

  @Test func codeInAStringCounts() {
    #expect(violations("Engine/A", #"let a = "a \(Pond.self)""#).count == 1)
  }

  @Test func aNameDeclaredInSeveralPlacesIsNobodys() {
    let files = Self.homes + [Self.file("Engine/Log", "struct Log {}")]
    let user = Self.file("Base/A", "let a: Log")

    #expect(RoomRule(plan: Self.plan, files: files).violations(in: user).isEmpty)
  }

  @Test func aFolderInsideOfARoomBelongsToItUnlessListed() {
    #expect(violations("Report/Text/A", "let a: SettleOrder").isEmpty)
    #expect(violations("Engine/Stalls/A", "let a: Heap").isEmpty)
    #expect(violations("Engine/Heap/A", "let a: SettleOrder").count == 1)
  }

  @Test func aFolderThatIsNotListedIsFound() {
    #expect(
      violations("Runtime/Runner", "") == [
        "Sources/Pebbles/Runtime/Runner.swift:1: Sources/Pebbles/Runtime is no room yet; "
          + "list it in CONTRIBUTING.md"
      ])
    let other = SourceFile(path: "Sources/PebblesTesting/Testing.swift", text: "")
    #expect(RoomRule(plan: Self.plan, files: []).violations(in: other).count == 1)
  }

  @Test func aListedFolderThatDoesNotExistIsFound() {
    #expect(
      RoomRule(plan: Self.plan, files: Self.homes).emptyRooms.map(\.description) == [
        "CONTRIBUTING.md:11: Sources/Pebbles/Engine has no Swift file; take it out of the list"
      ])
  }

  @Test func testsAndExamplesHaveNoRooms() {
    let file = SourceFile(path: "Tests/PebblesTests/Engine/A.swift", text: "let pond: Pond")

    #expect(RoomRule(plan: Self.plan, files: Self.homes).violations(in: file).isEmpty)
  }
}
