import Testing

@Suite struct RoomTests {
  @Test func everyRoomNamesOnlyWhatIsBelow() throws {
    let files = try Repository.sourceFiles()
    let rule = RoomRule(plan: try Repository.roomPlan(), files: files)
    let violations = rule.emptyRooms + files.flatMap(rule.violations)

    guard !violations.isEmpty else { return }
    let lines = violations.map(\.description).joined(separator: "\n")
    Issue.record("\(violations.count) places break the rule: \(rule.summary)\n\(lines)")
  }
}
