import Foundation

/// The number of cases that exhaustive and random tests try.
///
/// A plain run of the tests tries a tenth of the cases that can be enumerated, so that it is quick.
/// With `THOROUGHNESS=5` in the environment, or any other number above one, the tests try all of
/// them, and that many times as many random ponds and killed processes.
package enum Thoroughness {
  /// The factor by which the tests try more than in a plain run, from 1 to 10,000.
  package static let factor =
    ProcessInfo.processInfo.environment["THOROUGHNESS"].flatMap { Int($0) }
    .map { min(max($0, 1), 10_000) } ?? 1

  /// Whether the tests try all cases that can be enumerated.
  package static var isFull: Bool { factor > 1 }

  /// Returns the number of cases to try, if a plain run tries `count`.
  package static func times(_ count: Int) -> Int { count * factor }

  /// Returns `count`, or a tenth of it unless the tests try everything.
  package static func size(_ count: Int) -> Int { isFull ? count : count / 10 }

  /// Returns all elements, or every tenth unless the tests try everything.
  package static func some<Element>(of all: [Element]) -> [Element] {
    isFull ? all : stride(from: 0, to: all.count, by: 10).map { all[$0] }
  }
}
