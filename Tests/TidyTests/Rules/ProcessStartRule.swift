/// A rule that requires tests to start processes one at a time. A process that is started while
/// another thread starts one inherits the pipes of the other process, so a caller that waits for
/// one of them waits for both.
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
