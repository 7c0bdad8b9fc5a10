import Foundation

/// The number of cases that exhaustive and random tests try.
///
/// A plain run of the tests tries a tenth of the cases that can be enumerated, so that it is quick.
/// If `THOROUGHNESS` in the environment is a number *n* above one, the tests try all of these
/// cases, and *n* times the number of random ponds and of killed processes.
package enum Thoroughness {
  /// The factor by which the number of random cases is greater than in a plain run: 1 to 10,000.
  package static let factor =
    ProcessInfo.processInfo.environment["THOROUGHNESS"].flatMap { Int($0) }
    .map { min(max($0, 1), 10_000) } ?? 1

  /// Whether the tests try all cases that can be enumerated.
  package static var isFull: Bool { factor > 1 }

  /// Returns the number of cases to try, if a plain run tries `count`.
  package static func times(_ count: Int) -> Int { count * factor }

  /// Returns `count` if the tests try all cases, and a tenth of it otherwise.
  package static func size(_ count: Int) -> Int { isFull ? count : count / 10 }

  /// Returns all elements if the tests try all cases, and every tenth element otherwise.
  package static func some<Element>(of all: [Element]) -> [Element] {
    isFull ? all : stride(from: 0, to: all.count, by: 10).map { all[$0] }
  }
}
