import Foundation

/// How much of what is exhaustive, or random, the tests look at.
///
/// A plain run of the tests looks at a tenth, so that nobody waits for it. With `THOROUGHNESS=10`
/// in the environment everything that can be enumerated is looked at, and ten times as many
/// random ponds and killed processes; `THOROUGHNESS=100` takes a hundred times as many.
package enum Thoroughness {
  /// How many times as much is looked at as in a plain run, from 1 to 10,000.
  package static let factor =
    ProcessInfo.processInfo.environment["THOROUGHNESS"].flatMap { Int($0) }
    .map { min(max($0, 1), 10_000) } ?? 1

  /// Whether everything is looked at that can be enumerated.
  package static var isFull: Bool { factor >= 10 }

  /// The number of things to try, of which a plain run tries `count`.
  package static func times(_ count: Int) -> Int { count * factor }

  /// The size of something large, or in a plain run a tenth of it.
  package static func size(_ count: Int) -> Int { isFull ? count : count / 10 }

  /// All elements, or in a plain run every tenth.
  package static func some<Element>(of all: [Element]) -> [Element] {
    isFull ? all : stride(from: 0, to: all.count, by: 10).map { all[$0] }
  }
}
