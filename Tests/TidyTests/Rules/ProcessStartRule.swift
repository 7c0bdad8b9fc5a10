/// A rule that tests start processes one at a time. If two threads start processes at the same
/// time, one process can inherit the pipes of the other, and a wait for the other then takes until
/// both have ended.
struct ProcessStartRule: TidyRule {
  let summary = "tests start processes one at a time, by runAlone or inside of startingAlone"

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isTest, !file.isInside("Tests/Mutation") else { return [] }
    guard !file.contains("runAlone"), !file.contains("startingAlone") else { return [] }
    let tokens = file.tokens
    return file.places(of: ["Process"]).compactMap { index in
      guard tokens[index...].dropFirst().prefix(2).map(\.text) == ["(", ")"] else { return nil }
      return file.violation(
        at: tokens[index].line, "start this by runAlone, or inside of startingAlone")
    }
  }
}
