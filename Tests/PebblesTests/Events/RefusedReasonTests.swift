import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that encoding a reason fails if the encoder refuses any of its values.
@Suite struct RefusedReasonTests {
  @Test(
    arguments: [
      (.requested, ["kind"]), (.failure(of: "a"), ["kind", "pebble"]), (.deadlinePassed, ["kind"]),
      (.shutdown, ["kind"]), (.serviceEnded("a"), ["kind", "pebble"]),
      (.signal(.terminate), ["kind", "signal"]), (.backgroundTimeExpired, ["kind"]),
      (.journalBroken("could not be written"), ["kind", "problem"]),
    ] as [(RunCancellation, [String])])
  func whatAnEncoderRefusesOfACancellationIsAnError(
    _ reason: RunCancellation, _ keys: [String]
  ) throws {
    try expectRefusal(of: reason, keys)

    let copy = try JSONDecoder().decode(RunCancellation.self, from: JSONEncoder().encode(reason))
    #expect(copy == reason)
  }

  @Test(
    arguments: [
      (.conditionFalse(decidedBy: "a"), ["kind", "decidedBy"]),
      (.stalled(waitingOn: ["a"]), ["kind", "waitingOn"]), (.cancelled, ["kind"]),
      (.disabled, ["kind"]), (.notAskedFor, ["kind"]),
      (.resourceHeld(by: "a"), ["kind", "holder"]), (.notInRun, ["kind"]),
    ] as [(SkipReason, [String])])
  func whatAnEncoderRefusesOfASkipIsAnError(_ reason: SkipReason, _ keys: [String]) throws {
    try expectRefusal(of: reason, keys)

    let copy = try JSONDecoder().decode(SkipReason.self, from: JSONEncoder().encode(reason))
    #expect(copy == reason)
  }

  /// Expects that encoding a reason fails if the encoder refuses any one of the given keys, and
  /// that the reason has no other keys.
  private func expectRefusal(of reason: some Encodable, _ keys: [String]) throws {
    for key in keys {
      #expect(throws: RefusingEncoder.Refusal.self) {
        try reason.encode(to: RefusingEncoder { $0 == key })
      }
    }
    try reason.encode(to: RefusingEncoder { key in !keys.contains { $0 == key } })
  }
}
