import Workloads

/// A polling dispatcher like that of Acheron, written for this comparison. After every completion,
/// the dispatcher asks every pebble that has not started whether it is ready, by calling a closure.
struct PollingContestant: Contestant {
  let name = "polling"

  func refusal(of workload: Workload) -> String? {
    // Pebbles that have not started by the end count as skipped, so no pebble can wait for a skip.
    workload.shape.isConjunctive ? nil : "cannot express it"
  }

  func run(_ workload: Workload, tally: Tally) async throws -> Phases {
    await PollingPond.measure(workload, tally: tally)
  }
}

@globalActor
private actor PollingActor {
  static let shared = PollingActor()
}

@PollingActor
private final class PollingPebble {
  enum State {
    case waiting, running, succeeded, failed
  }

  var state = State.waiting
  var ready: () -> Bool = { true }
  let body: Body

  init(_ body: @escaping Body) {
    self.body = body
  }
}

@PollingActor
private final class PollingPond {
  private var waiting: [PollingPebble] = []
  private var running = 0
  private var whenDone: CheckedContinuation<Void, Never>?

  static func measure(_ workload: Workload, tally: Tally) async -> Phases {
    let bodies = workload.bodies(tally: tally)
    let start = Moment.now
    var pebbles: [PollingPebble] = []
    pebbles.reserveCapacity(workload.count)
    for index in 0..<workload.count {
      let pebble = PollingPebble(bodies[index])
      let predecessors = workload.predecessors(of: index).map { pebbles[Int($0)] }
      pebble.ready = { predecessors.allSatisfy { $0.state == .succeeded } }
      pebbles.append(pebble)
    }
    let pond = PollingPond()
    let defined = Moment.now
    await pond.run(pebbles)
    let ran = Moment.now
    let succeeded = pebbles.count { $0.state == .succeeded }
    let read = Moment.now

    withExtendedLifetime((pond, pebbles, succeeded)) {}
    return Phases(define: defined - start, run: ran - defined, report: read - ran)
  }

  private func run(_ pebbles: [PollingPebble]) async {
    waiting = pebbles
    await withCheckedContinuation { continuation in
      whenDone = continuation
      poll()
    }
  }

  private func poll() {
    var started: [PollingPebble] = []
    waiting.removeAll { pebble in
      guard pebble.ready() else { return false }
      started.append(pebble)
      return true
    }
    for pebble in started { start(pebble) }
    guard running == 0 else { return }
    whenDone?.resume()
    whenDone = nil
  }

  private func start(_ pebble: PollingPebble) {
    pebble.state = .running
    running += 1
    let body = pebble.body
    Task.detached {
      let ending: PollingPebble.State
      do {
        try await body()
        ending = .succeeded
      } catch {
        ending = .failed
      }
      await self.finished(pebble, ending)
    }
  }

  private func finished(_ pebble: PollingPebble, _ ending: PollingPebble.State) {
    pebble.state = ending
    running -= 1
    poll()
  }
}
