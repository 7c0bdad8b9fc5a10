import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the comparison that determines whether a value given again, or a kept output, is the
/// same as before.
@Suite struct AnyOutputTests {
  private struct Opaque: Sendable { let number: Int }

  @Test func outputsThatCanBeComparedAreTheSameIfTheyAreEqual() {
    #expect(OutputBox(1).isSame(as: OutputBox(1)))
    #expect(!OutputBox(1).isSame(as: OutputBox(2)))
    #expect(!OutputBox(1).isSame(as: OutputBox("1")))
    #expect(!OutputBox(1).isSame(as: OutputBox(1 as Int?)))
  }

  @Test func othersAreTheSameOnlyAsThemselves() {
    let (opaque, error) = (OutputBox(Opaque(number: 1)), AnyOutput.failure(Breakdown()))

    #expect(opaque.isSame(as: opaque))
    #expect(!opaque.isSame(as: OutputBox(Opaque(number: 1))))
    #expect(error.isSame(as: error))
    #expect(!error.isSame(as: AnyOutput.failure(Breakdown())))
    #expect(!error.isSame(as: opaque))
  }
}
