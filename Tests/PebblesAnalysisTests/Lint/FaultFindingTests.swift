import Pebbles
import PebblesAnalysis
import Testing

/// Tests of findings about ponds with invalid definitions.
@Suite struct FaultFindingTests {
  /// Checks the sentence of a fault with short names whose invisible characters are written as long
  /// escape sequences.
  @Test func sentenceOfAFaultIsCut() throws {
    let name = String(repeating: "\u{1}", count: 59)
    let pond = Pond(name)
    let stranger = Pond(name).pebble(name) {}
    pond.pebble(name, when: stranger.succeeded) {}

    let finding = try #require(pond.lint().first)

    #expect(finding.kind == .definition)
    #expect(finding.sentence.count == 500)
    #expect(finding.sentence.hasSuffix("…"))
  }
}
