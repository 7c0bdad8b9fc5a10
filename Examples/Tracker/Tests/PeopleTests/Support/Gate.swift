import Pebbles
import Synchronization

/// A gate that holds back the first searches until they are cancelled or the gate is opened.
final class Gate: Sendable {
  private struct State {
    var holding: Int
    var held: [AsyncStream<Never>.Continuation] = []
  }

  private let state: Mutex<State>
  private let pebble: String
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

  init(holding count: Int = 0, at pebble: String = "name") {
    state = Mutex(State(holding: count))
    self.pebble = pebble
  }

  /// Makes the gate hold the next search.
  func holdNext() { state.withLock { $0.holding = 1 } }

  /// The code to run around the parts of a search.
  var around: Around {
    { context, body in
      if context.pebble == self.pebble { await self.pass() }
      try await body()
    }
  }

  private func pass() async {
    let (closed, opening) = AsyncStream.makeStream(of: Never.self)
    let isHeld = state.withLock { state in
      guard state.holding > 0 else { return false }
      state.holding -= 1
      state.held.append(opening)
      return true
    }
    guard isHeld else { return }
    arrival.yield()
    for await _ in closed {}
  }

  /// Waits until another search is held back.
  func waitForArrival() async {
    for await _ in arrivals { return }
  }

  /// Opens the gate for all searches, including later ones.
  func open() {
    let held = state.withLock { state in
      state.holding = 0
      defer { state.held = [] }
      return state.held
    }
    for opening in held { opening.finish() }
  }
}
