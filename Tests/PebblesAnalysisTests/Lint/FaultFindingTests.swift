import Pebbles
import PebblesAnalysis
import Testing

/// Tests of the findings about ponds with faults in their definitions.
@Suite struct FaultFindingTests {
  /// Checks that the sentence is cut even if the name is short. Invisible characters are written as
  /// escapes, which take many characters.
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
