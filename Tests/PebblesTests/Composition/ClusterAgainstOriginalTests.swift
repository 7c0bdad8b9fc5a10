import Testing

@testable import Pebbles
import PebblesTestSupport

/// Tests that the pebbles of a pond have the same outcomes whether the pond runs on its own or as a
/// cluster of another pond.
@Suite(.watched) struct ClusterAgainstOriginalTests {
  @Test(arguments: 0..<8)
  func randomPondsEndAsTheirOriginals(shard: Int) async throws {
    var generator = SeededGenerator(seed: 4_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(100) {
      let random = ReferencePond.random(
        mostPebbles: 12, withCases: !shard.isMultiple(of: 2), using: &generator)
      let original = random.makePond(smallestShared: shard < 4 ? 1 : 16)
      let middle = Pond("middle")
      middle.pebble("in front") {}
      middle.add(original, as: "inner")
      let empty = Pond("empty")
      empty.add(original, as: "copy")
      empty.add(middle, as: "middle")

      let expected = try await original.run()
      let report = try await empty.run()

      let count = expected.records.count
      for (offset, prefix) in [(0, "copy/"), (count + 1, "middle/inner/")] {
        for (record, other) in zip(report.records.dropFirst(offset).prefix(count), expected.records)
        {
          #expect(record.name == prefix + other.name)
          #expect(record.cases == other.cases, "\(record.name) of\n\(random)")
          #expect(
            record.outcome.shape(under: prefix) == other.outcome.shape(under: ""),
            "\(record.name) of\n\(random)")
        }
      }
    }
  }
}

extension Outcome {
  /// Returns the part of the outcome that does not depend on timing, with the given prefix removed
  /// from the names of pebbles.
  fileprivate func shape(under prefix: String) -> String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped(let reason) where reason.isConditionFalse: "condition"
    case .skipped(let reason) where reason.isStalled:
      "stalled \(reason.waitingOn.map { $0.dropFirst(prefix.count) }.sorted())"
    case .skipped(let reason): "\(reason)"
    }
  }
}
