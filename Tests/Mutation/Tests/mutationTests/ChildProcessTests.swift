import Testing

@testable import mutation

@Suite struct ChildProcessTests {
  @Test func itEndsAsTheProgramDoes() throws {
    #expect(try ChildProcess(arguments: ["sh", "-c", "exit 3"]).run() == .exited(3))
    #expect(try ChildProcess(arguments: ["sh", "-c", "kill -9 $$"]).run() == .signaled(9))
  }

  @Test func aLineIsEnough() throws {
    let process = ChildProcess(arguments: ["sh", "-c", "echo a; echo b; exec sleep 60"])

    #expect(try process.run { $0 == "b" } == .stopped)
  }

  @Test func emptyLinesOfAnOutputAreKept() throws {
    let process = ChildProcess(arguments: ["printf", "\\na\\n\\nb\\n"])

    #expect(try process.output() == "\na\n\nb")
  }

  @Test func itIsKilledWhenItsTimeIsUp() throws {
    let process = ChildProcess(arguments: ["sleep", "60"], limit: 0.1)

    #expect(try process.run() == .outOfTime)
  }

  @Test func aProgramThatIsNotThereIsSaid() {
    #expect(throws: Failure.self) { try ChildProcess(arguments: ["/nowhere/a"]).run() }
  }
}
