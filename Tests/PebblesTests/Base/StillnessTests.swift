import PebblesTestSupport
import Testing

/// Tests of the detector that ends the test process when a test waits forever.
@Suite(.watched) struct StillnessTests {
  private var stillness = Stillness()

  /// Polls the detector until it considers the tests stuck, but fewer than 10,000 times.
  ///
  /// - Returns: The number of the poll at which the tests are considered stuck; `nil` if they never
  ///   are.
  private mutating func giveUp(
    of tests: Int = 1, using processorTime: Duration = .milliseconds(1), hasChildren: Bool = false
  ) -> Int? {
    (1..<10_000).first { count in
      stillness.look(
        begun: tests, ended: 0, processorTime: processorTime * count, hasChildren: hasChildren)
    }
  }

  // One look more, as in the first the test has begun.

  @Test(arguments: [false, true])
  mutating func aTestThatDoesNothingIsGivenUp(hasChildren: Bool) {
    let count = giveUp(hasChildren: hasChildren)

    #expect(count == (hasChildren ? 601 : 21))
  }

  @Test mutating func oneThatComputesForEverIsGivenUpMuchLater() {
    let count = giveUp(using: .milliseconds(10))

    #expect(count == 3_601)
  }

  @Test mutating func whereNoTestIsUnderWayNothingIsGivenUp() {
    let count = giveUp(of: 0)

    #expect(count == nil)
  }

  @Test(arguments: [(2, 0, 0), (2, 1, 0), (1, 0, 10)])
  mutating func theWaitBeginsAnewWithEverythingThatIsDone(
    begun: Int, ended: Int, milliseconds: Int
  ) {
    var looks: [Bool] = []
    for count in 1...21 {
      let isLast = count == 21
      looks.append(
        stillness.look(
          begun: isLast ? begun : 1, ended: isLast ? ended : 0,
          processorTime: .milliseconds(isLast ? milliseconds : 0), hasChildren: false))
    }

    #expect(looks == Array(repeating: false, count: 21))
  }

  @Test func whatDoesNotComeToHoldFailsTheTestThere() async throws {
    let line = #line + 2
    await withKnownIssue {
      await #expect(throws: WaitedInVain.self) {
        try await until(within: .milliseconds(1)) { false }
      }
    } matching: { issue in
      issue.sourceLocation?.line == line
    }
  }
}
