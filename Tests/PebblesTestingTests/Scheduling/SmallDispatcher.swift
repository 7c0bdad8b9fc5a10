import PebblesTestSupport
import Synchronization

/// How a run hands out pebbles, in small: a ready list, runners that await bodies one after the
/// other, and at most one spare on its way. Every access to shared state is a step; between two,
/// others may have their turn.
///
/// With the mistake the spare looks at the list *before* it says that it stands by no longer, and
/// not after that. Whoever adds to the list in between believes that a spare is on its way, and
/// what it has added waits behind suspended bodies.
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

  /// Returns when nothing is running and nothing more can start.
  func run() async {
    await withTaskGroup { group in await work(&group) }
  }

  /// Awaits one body after the other for as long as there is something to take.
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

  /// The spare: goes to work if it is needed.
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

  /// - Returns: Whether something has become ready.
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
  /// `b` makes `c` and `d` ready, and `c` waits, inside of its body, for `d`: nothing that is ready
  /// may wait behind a suspended body.
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
