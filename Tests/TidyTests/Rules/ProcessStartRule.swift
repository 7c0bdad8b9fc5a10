/// A process that is started while another thread starts one inherits what belongs to that one, and
/// whoever waits for that one waits for both.
struct ProcessStartRule: TidyRule {
  let summary = "tests start processes one at a time, by runAlone or inside of startingAlone"

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isTest, !file.isInside("Tests/Mutation") else { return [] }
    let tokens = file.tokens
    let words = tokens.map(\.text)
    guard !words.contains("runAlone"), !words.contains("startingAlone") else { return [] }
    return tokens.indices.compactMap { index in
      guard words[index...].starts(with: ["Process", "(", ")"]) else { return nil }
      return file.violation(
        at: tokens[index].line, "start this by runAlone, or inside of startingAlone")
    }
  }
}
