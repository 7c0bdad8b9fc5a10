import Testing

/// Tests for the program that measures the figures. They do not check the measured values.
@Suite(.serialized) struct FiguresTests {
  @Test func itPrintsAllFiguresWithTheirTargets() async throws {
    let program = try RunningProgram(
      "figures", ["--request-rounds", "1", "--requests", "50", "--boot-rounds", "1"])

    #expect(try await program.ended() == 0, "\(program.error)")
    for text in [
      "requests per second of /launches", "; to be at least 0.97: ", "ms from the start to ready",
      "; to be at most 1.02: ", "lines of the boot",
    ] {
      #expect(program.output.contains(text), "\(program.output)")
    }
    #expect(program.output.split(separator: "\n").count { $0.hasPrefix("  ratio") } == 3)
  }

  @Test(arguments: [["--boot-rounds", "0"], ["--requests", "49"], ["--request-rounds", "many"]])
  func whatCannotBeMeasuredIsRefused(arguments: [String]) async throws {
    let program = try RunningProgram("figures", arguments)

    #expect(try await program.ended() == 64)
    #expect(program.error.contains("Error: "), "\(program.error)")
  }
}
