import Pebbles
import PebblesTestSupport
import Synchronization

/// The work of bodies. A body records its beginning, keeps the processor busy for a moment, and
/// records its end.
struct ProbeWork: Sendable {
  private let effects: Effects
  private let seed: UInt64

  init(_ effects: Effects, seed: UInt64) {
    self.effects = effects
    self.seed = seed
  }

  func body(_ name: String) {
    effects.begin(name)
    spin(name)
    effects.end(name)
  }

  /// Performs the work of a body that fails in the given number of attempts.
  ///
  /// - Throws: `Breakdown` in the first `failures` attempts.
  func body(_ name: String, failing failures: Int) throws {
    body(name)
    if let attempt = PebbleContext.current?.attempt, attempt <= failures {
      throw Breakdown("\(name) \(attempt)")
    }
  }

  func closes(_ name: String) {
    spin(name)
    effects.close(name)
  }

  private func spin(_ name: String) {
    var generator = SeededGenerator(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    let length = Duration.microseconds(Int.random(in: 0...300, using: &generator))
    let end = ContinuousClock.now + length
    while ContinuousClock.now < end {}
  }
}
