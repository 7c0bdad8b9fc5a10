import PebblesTestSupport
import Testing

/// What ends tests that wait for ever.
@Suite(.watched) struct StillnessTests {
  private func looks(
    of stillness: inout Stillness, using processorTime: Duration = .milliseconds(1),
    from count: Int, hasChildren: Bool = false, longest: Duration? = .seconds(1)
  ) -> Int? {
    (count..<1000).first { count in
      stillness.look(
        processorTime: processorTime * count, hasChildren: hasChildren, longest: longest)
    }
  }

  @Test(arguments: [false, true])
  func aTestThatDoesNothingIsGivenUp(hasChildren: Bool) {
    var stillness = Stillness()

    let count = looks(of: &stillness, from: 1, hasChildren: hasChildren)

    #expect(count == (hasChildren ? 240 : 20))
  }

  @Test func oneThatUsesTheProcessorIsNot() {
    var stillness = Stillness()

    let count = looks(of: &stillness, using: .milliseconds(10), from: 1)

    #expect(count == nil)
  }

  @Test func theWaitBeginsAnewWithEachThingThatIsDone() {
    var stillness = Stillness()
    for count in 1...19 {
      let isStill = stillness.look(
        processorTime: .milliseconds(count), hasChildren: false, longest: .zero)
      #expect(!isStill)
    }
    let count = looks(of: &stillness, from: 100)

    #expect(count == 120)
  }

  @Test func whereNoTestIsUnderWayNothingIsGivenUp() {
    var stillness = Stillness()

    let count = looks(of: &stillness, from: 1, longest: nil)

    #expect(count == nil)
  }

  @Test func oneThatComputesForEverIsGivenUp() {
    var stillness = Stillness()

    let isStill = [900, 901].map { longest in
      stillness.look(
        processorTime: .seconds(longest), hasChildren: false, longest: .seconds(longest))
    }

    #expect(isStill == [false, true])
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
