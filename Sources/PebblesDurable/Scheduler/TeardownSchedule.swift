import Pebbles

/// The order in which to tear down a run whose bodies were called elsewhere. Use a schedule for the
/// teardown just as you use a ``Scheduler`` for the run.
///
/// ```swift
/// var teardown = scheduler.teardown()
/// while let pebble = teardown.ready.first {
///   try teardown.start(pebble)
///   await tearDown(scheduler.names[pebble])
///   try teardown.end(pebble)
/// }
/// ```
///
/// The order is the same as in `Run.shutdown(within:)`: a pebble is torn down after all pebbles
/// that it actually enabled, directly or through others, even if some of their teardowns have
/// failed. Pebbles that do not depend on each other may be torn down at the same time. The
/// caller decides whether a run is torn down at all; a run in one process is torn down if it was
/// cancelled or shut down.
///
/// Like a scheduler, a schedule uses no clock and no task, and the same calls always have the same
/// results.
public struct TeardownSchedule: Sendable {
  private let pebbles: [Int?]
  private let steps: [Int: Int]

  /// The steps that wait for each step to end, indexed by the step that must end.
  private let waiting: [[Int]]

  /// The number of steps for which each step is still waiting, indexed by the waiting step.
  private var openCounts: [Int]
  private var endedCount = 0

  /// The names of the pebbles, for errors.
  private let names: [Int: String]

  /// The pebbles whose teardowns may be called now, by their positions in definition order.
  public private(set) var ready: [Int] = []

  /// The pebbles whose teardowns have begun and have not ended.
  public private(set) var running: Set<Int> = []

  init(_ order: TeardownOrder, names: (Int) -> String) {
    pebbles = order.pebbles
    var steps: [Int: Int] = [:]
    var waiting: [[Int]] = Array(repeating: [], count: order.pebbles.count)
    openCounts = order.pebbles.indices.map { order.dependents(of: $0).count }
    for (step, pebble) in order.pebbles.enumerated() {
      if let pebble { steps[pebble] = step }
      for dependent in order.dependents(of: step) { waiting[dependent].append(step) }
    }
    self.steps = steps
    self.waiting = waiting
    self.names = Dictionary(steps.keys.map { ($0, names($0)) }) { first, _ in first }
    open(openCounts.indices.filter { openCounts[$0] == 0 })
  }

  /// The number of pebbles to tear down.
  public var count: Int { steps.count }

  /// Whether all teardowns have ended.
  public var isFinished: Bool { endedCount == steps.count }

  /// Records that the teardown of a pebble is about to be called.
  ///
  /// - Parameter pebble: A pebble that is ``ready``.
  /// - Throws: ``SchedulerError`` if the pebble is not ready. In that case, nothing changes.
  /// - Complexity: O(``ready``).
  public mutating func start(_ pebble: Int) throws(SchedulerError) {
    guard let place = ready.firstIndex(of: pebble) else { throw error(pebble, "was begun") }
    ready.remove(at: place)
    running.insert(pebble)
  }

  /// Records that the teardown of a pebble has ended, successfully or not. The teardown is not
  /// called again.
  ///
  /// - Parameter pebble: A pebble that is ``running``.
  /// - Throws: ``SchedulerError`` if the pebble is not running. In that case, nothing changes.
  /// - Complexity: O(pebbles that waited for this teardown).
  public mutating func end(_ pebble: Int) throws(SchedulerError) {
    guard running.remove(pebble) != nil, let step = steps[pebble] else {
      throw error(pebble, "has ended")
    }
    endedCount += 1
    open(freed(by: step))
  }

  /// Records the end of a step, and returns the steps that were waiting only for this step, in
  /// ascending order.
  private mutating func freed(by step: Int) -> [Int] {
    var freed: [Int] = []
    for next in waiting[step] {
      openCounts[next] -= 1
      if openCounts[next] == 0 { freed.append(next) }
    }
    return freed
  }

  /// Adds the pebbles of the given steps to `ready`. These steps must no longer wait for anything.
  /// A step without a pebble only connects other steps, and ends immediately.
  private mutating func open(_ steps: [Int]) {
    var open = steps
    var next = 0
    while next < open.count {
      if let pebble = pebbles[open[next]] {
        ready.append(pebble)
      } else {
        open += freed(by: open[next])
      }
      next += 1
    }
  }

  private func error(_ pebble: Int, _ happening: String) -> SchedulerError {
    let name = names[pebble].map { $0.shortName } ?? "the position \(pebble)"
    let state =
      names[pebble] == nil
      ? "there is nothing to tear down"
      : running.contains(pebble)
        ? "it is running" : ready.contains(pebble) ? "it has not begun" : "it waits or has ended"
    return SchedulerError(description: "the teardown of \(name) \(happening), but \(state)")
  }
}

extension Scheduler {
  /// Returns a schedule for tearing down the pebbles that have succeeded and have a teardown. The
  /// schedule is empty before the run is finished.
  ///
  /// Services are not included. The caller must have stopped each service that it called.
  ///
  /// - Returns: A new schedule, in which no teardown has been called. Using the schedule does not
  ///   change this scheduler.
  /// - Complexity: O(pebbles + atoms), plus the time to sort the pebbles that depend on each other.
  public func teardown() -> TeardownSchedule {
    let pond = storage.pond
    let candidates = pond.properties.pebbles.filter { $0.value.isTornDownElsewhere }.keys
      .map(Int.init).filter { storage.state.status(of: $0) == .succeeded }.sorted()
    guard isFinished, !candidates.isEmpty else {
      return TeardownSchedule(TeardownOrder()) { _ in "" }
    }
    let history = DecisionHistory(storage.state, pond.operands)
    return TeardownSchedule(TeardownOrder(of: candidates, history)) { pond.graph.names[$0] }
  }
}

extension PebbleProperties {
  fileprivate var isTornDownElsewhere: Bool { hasTeardown && !isService }
}
