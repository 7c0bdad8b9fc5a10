import Foundation

/// How many random ponds a test compares with brute force, in all its shards together.
///
/// Plain test runs look at 500 of them, for the sake of who waits. With `RANDOM_PONDS=5000`
/// in the environment it is 5,000.
package enum RandomPondCount {
  package static let usual = 500

  package static var chosen: Int {
    let text = ProcessInfo.processInfo.environment["RANDOM_PONDS"]
    return text.flatMap { Int($0) }.map { min(max($0, 1), 1_000_000) } ?? usual
  }

  /// How many of them fall to each of some shards.
  package static func perShard(of shards: Int) -> Int { (chosen + shards - 1) / shards }
}
