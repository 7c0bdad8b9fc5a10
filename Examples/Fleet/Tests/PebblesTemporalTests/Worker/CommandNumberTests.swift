import ArgumentParser
import Pebbles
import PebblesAnalysis
import Testing

@testable import fleet

/// Tests for the numbers in the arguments of `fleet`.
@Suite struct CommandNumberTests {
  @Test(arguments: [
    "kill-test --runs=-1", "kill-test --workers=-1", "kill-test --every=0", "figures --workers=0",
    "figures --rounds=-1", "figures --at-once=-1", "figures --chain=0", "figures --independent=-1",
    "figures-worker --independent=-1",
  ])
  func aNumberThatIsTooSmallIsAFaultOfTheCaller(line: String) throws {
    let arguments = line.split(separator: " ").map(String.init)

    let error = try #require(throws: (any Error).self) { _ = try Fleet.parseAsRoot(arguments) }

    #expect(Fleet.exitCode(for: error) == .validationFailure)
    #expect(Fleet.message(for: error).contains("or more"))
  }

  @Test(arguments: 1...3)
  func theChainHasAsManyPebblesAsAskedFor(count: Int) throws {
    #expect(try FiguresPond.chain(of: count).model().count == count)
  }
}
