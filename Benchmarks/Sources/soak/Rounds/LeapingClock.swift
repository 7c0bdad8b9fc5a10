import Foundation
import Synchronization
import Workloads

/// A clock that does not depend on real time. It leaps to the earliest deadline of a sleeping task
/// after other tasks have had a few turns.
///
/// Sleeping tasks wake in the order of their deadlines. The number of turns before a leap is
/// random. Sometimes, all other tasks finish their work before the leap; at other times, timeouts
/// and cancellations interrupt work that is still under way.
final class LeapingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let number: Int
    /// The time at which the sleeper wakes; `nil` if it sleeps until `end()` is called.
    let deadline: Instant?
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var generator: SeededGenerator
    let mostTurns: Int
    var sleepersSoFar = 0
    var sleepers: [Sleeper] = []
    /// The numbers of the sleepers that were cancelled before they fell asleep.
    var cancelled: Set<Int> = []
    var isLeaping = false
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let threads = NSCondition()

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - generator: The generator that draws the number of turns before each leap.
  ///   - mostTurns: The maximum number of turns before a leap.
  init(_ generator: SeededGenerator, mostTurns: Int) {
    state = Mutex(State(generator: generator, mostTurns: mostTurns))
  }

  var now: Instant { state.withLock(\.now) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleep(until: deadline)
  }

  /// Sleeps until `end()` is called or the task is cancelled.
  func sleepUntilEnd() async throws {
    try await sleep(until: nil)
  }

  /// Wakes the tasks and threads that are waiting for this call. Later calls to `sleepUntilEnd()`
  /// return immediately.
  func end() {
    let awakened = state.withLock { state in
      state.hasEnded = true
      let isAwakened = state.sleepers.partition { $0.deadline == nil }
      defer { state.sleepers.removeSubrange(isAwakened...) }
      return Array(state.sleepers[isAwakened...])
    }
    for sleeper in awakened { sleeper.continuation.resume() }
    threads.withLock { threads.broadcast() }
  }

  var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// Blocks the current thread until `end()` is called.
  func blockUntilEnd() {
    threads.withLock { while !hasEnded { threads.wait() } }
  }

  private func sleep(until deadline: Instant?) async throws {
    let number = state.withLock { state in
      state.sleepersSoFar += 1
      return state.sleepersSoFar
    }
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        fallAsleep(Sleeper(number: number, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      wakeByCancellation(number)
    }
  }

  private enum Bedtime {
    case asleep(leaps: Bool)
    case awake(Result<Void, any Error>)
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    let bedtime = state.withLock { state -> Bedtime in
      if state.cancelled.contains(sleeper.number) { return .awake(.failure(CancellationError())) }
      guard let deadline = sleeper.deadline else {
        if state.hasEnded { return .awake(.success(())) }
        state.sleepers.append(sleeper)
        return .asleep(leaps: false)
      }
      if deadline <= state.now { return .awake(.success(())) }
      state.sleepers.append(sleeper)
      defer { state.isLeaping = true }
      return .asleep(leaps: !state.isLeaping)
    }
    switch bedtime {
    case .asleep(leaps: true): Task.detached { await self.leap() }
    case .asleep(leaps: false): break
    case .awake(let result): sleeper.continuation.resume(with: result)
    }
  }

  private func wakeByCancellation(_ number: Int) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      return state.sleepers.remove(at: place).continuation
    }
    continuation?.resume(throwing: CancellationError())
  }

  /// Moves the time forward to the earliest deadline and wakes the task that waits for it. Repeats
  /// this until no sleeping task has a deadline.
  private func leap() async {
    while true {
      for _ in 0..<drawTurns() { await Task.yield() }
      guard let sleeper = earliest() else { return }
      sleeper.continuation.resume()
    }
  }

  private func drawTurns() -> Int {
    state.withLock { Int.random(in: 0...$0.mostTurns, using: &$0.generator) }
  }

  private func earliest() -> Sleeper? {
    state.withLock { state in
      let candidates = state.sleepers.indices.compactMap { place in
        state.sleepers[place].deadline.map { (deadline: $0, place: place) }
      }
      guard let first = candidates.min(by: { $0.deadline < $1.deadline }) else {
        state.isLeaping = false
        return nil
      }
      state.now = max(state.now, first.deadline)
      return state.sleepers.remove(at: first.place)
    }
  }
}
