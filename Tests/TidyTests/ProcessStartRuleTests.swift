import Testing

@Suite struct ProcessStartRuleTests {
  private func lines(_ text: String, in path: String = "Tests/PebblesTests/A.swift") -> [Int] {
    ProcessStartRule().violations(in: SourceFile(path: path, text: text)).map(\.line)
  }

  @Test func aProcessIsStartedAlone() {
    let start = "func a() {\n  let process = Process()\n  try process.run()\n}\n"

    #expect(lines(start) == [2])
    #expect(lines(start, in: "Examples/Tracker/Tests/A.swift") == [2])
    #expect(lines(start.replacing("run()", with: "runAlone()")) == [])
    #expect(lines("try Process.startingAlone {\n" + start + "}") == [])
    #expect(lines(start, in: "Sources/pond/A.swift") == [])
  }
}
