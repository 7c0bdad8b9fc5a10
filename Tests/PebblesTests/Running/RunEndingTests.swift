import Testing

@testable import Pebbles

@Suite(.timeLimit(.minutes(15))) struct RunEndingTests {
  private let ending = RunEnding()

  /// With work that grows with what waits already, this would take minutes.
  @Test func manyMayWaitForOneRun() async {
    await withTaskGroup { [ending] group in
      for _ in 0..<100_000 {
        group.addTask { #expect(await ending.reached().time == 7) }
      }
      group.addTask {
        await Task.yield()
        ending.runEnded(RunEnd(time: 7, cancellation: .requested))
      }
    }

    #expect(ending.isReached)
  }

  @Test func whoComesLaterIsToldAtOnce() async {
    #expect(!ending.isReached)

    ending.runEnded(RunEnd(time: 7, cancellation: nil))

    #expect(await ending.reached().time == 7)
  }
}
