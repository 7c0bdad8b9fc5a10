import Pebbles
import PebblesAnalysis
import Testing

/// What is said of ponds that are defined wrongly.
@Suite struct FaultFindingTests {
  /// What cannot be seen is written out, so that short names take many characters.
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
