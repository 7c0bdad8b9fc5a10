import PebblesTestSupport
import Synchronization

/// A small model of the dispatcher of a run. It has a list of ready pebbles, runners that await one
/// body after the other, and at most one spare runner that is about to start. Every access to
/// shared state is a step, and other tasks can run between two steps.
///
/// If it has the mistake, the spare checks the list *before* it clears the flag of the spare, and
/// not afterward. A runner that adds a pebble between these steps assumes that a spare is about to
/// start, so the added pebble waits behind suspended bodies.
final class SmallDispatcher: Sendable {
  struct Pebble: Sendable {
    let waitsFor: [Int]
    let body: @Sendable () async -> Void
  }

  private struct State {
    var missing: [Int]
    var ready: [Int]
    var hasSpare = false
  }

  private let pebbles: [Pebble]
  private let hasMistake: Bool
  private let state: Mutex<State>

  init(_ pebbles: [Pebble], hasMistake: Bool) {
    self.pebbles = pebbles
    self.hasMistake = hasMistake
    let missing = pebbles.map(\.waitsFor.count)
    state = Mutex(State(missing: missing, ready: missing.indices.filter { missing[$0] == 0 }))
  }

  /// Runs pebbles, and returns once none is running and no more can start.
  func run() async {
    await withTaskGroup { group in await work(&group) }
  }

  /// Awaits one body after the other until no ready pebble is left.
  private func work(_ group: inout TaskGroup<Void>) async {
    while let pebble = take() {
      await Task.yield()
      if hasReady { summonSpare(&group) }
      await pebbles[pebble].body()
      let isAny = settle(pebble)
      await Task.yield()
      if isAny { summonSpare(&group) }
    }
  }

  /// Begins the work of the spare, which becomes a runner if it is needed.
  private func arrive() async {
    let isNeeded: Bool
    if hasMistake {
      isNeeded = hasReady
      await Task.yield()
      state.withLock { $0.hasSpare = false }
    } else {
      state.withLock { $0.hasSpare = false }
      await Task.yield()
      isNeeded = hasReady
    }
    if isNeeded { await run() }
  }

  private func summonSpare(_ group: inout TaskGroup<Void>) {
    let isFirst = state.withLock { state in
      defer { state.hasSpare = true }
      return !state.hasSpare
    }
    if isFirst { group.addTask { await self.arrive() } }
  }

  private var hasReady: Bool { state.withLock { !$0.ready.isEmpty } }

  private func take() -> Int? {
    state.withLock { $0.ready.isEmpty ? nil : $0.ready.removeFirst() }
  }

  /// Settles a pebble.
  ///
  /// - Returns: Whether another pebble has become ready.
  private func settle(_ pebble: Int) -> Bool {
    state.withLock { state in
      var isAny = false
      for (other, definition) in pebbles.enumerated() where definition.waitsFor.contains(pebble) {
        state.missing[other] -= 1
        if state.missing[other] == 0 {
          state.ready.append(other)
          isAny = true
        }
      }
      return isAny
    }
  }
}

extension SmallDispatcher {
  /// Returns a dispatcher in which pebble 1 makes 2 and 3 ready, and the body of 2 waits for that
  /// of 3. It can end only if no ready pebble waits behind a suspended body.
  static func handover(hasMistake: Bool) -> SmallDispatcher {
    let gate = Gate()
    return SmallDispatcher(
      [
        Pebble(waitsFor: []) {},
        Pebble(waitsFor: []) {},
        Pebble(waitsFor: [1]) { await gate.passed() },
        Pebble(waitsFor: [1]) { gate.open() },
      ], hasMistake: hasMistake)
  }
}
