import Pebbles

/// A simulation of a pond in virtual time, without calling its bodies. The engine decides which
/// pebbles are ready, the admission rules decide which of them may start, and a heap of running
/// bodies determines which body ends next.
///
/// Everything happens in the same order on every machine:
///
/// 1. Bodies that end at the same moment settle before anything starts, in the order in which they
///    started.
/// 2. Pebbles that become ready at the same moment start in order of rank: by priority, then by the
///    longest remaining path if earlier durations are given, then in definition order. Without
///    limits, they start in definition order.
/// 3. A body that takes no time ends at the moment it starts, after all pebbles that are ready and
///    admitted at that moment have started.
///
/// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that run, plus O(pebbles + atoms)
///   each time that stalled pebbles are skipped.
package struct Simulator {
  private let model: PondModel
  private let plan: SimulationPlan
  private var driver: ReadinessDriver
  private var running = BinaryHeap<RunningBody>()
  private var startedCount: UInt64 = 0
  private var now: UInt64 = 0

  package init(_ model: PondModel, _ plan: SimulationPlan) {
    self.init(model, plan, ordersSettling: false)
  }

  private init(_ model: PondModel, _ plan: SimulationPlan, ordersSettling: Bool) {
    self.model = model
    self.plan = plan
    driver = ReadinessDriver(
      ReadinessState(
        model.pond.network, goal: model.pond.goal(in: plan.subset(of: model.count)),
        ordersSettling: ordersSettling),
      Self.admission(model, plan), knowing: plan.knownOutcomes(of: model),
      withholding: plan.cancelled.union(plan.holders.keys))
  }

  /// Simulates the pond from start to end, and returns the record of the run.
  package consuming func run() -> RecordedRun {
    var simulator = self
    simulator.simulate()
    return simulator.recordedRun()
  }

  /// Simulates the pond, and returns the run with the causes of each decision.
  static func replay(_ model: PondModel, _ plan: SimulationPlan) -> Replay {
    var simulator = Simulator(model, plan, ordersSettling: true)
    simulator.simulate()
    return Replay(of: simulator.recordedRun(), simulator.driver.state)
  }

  /// Simulates the pond, and returns only the time that the run takes.
  package consuming func makespan() -> Duration {
    var simulator = self
    simulator.simulate()
    return simulator.now.asNanoseconds
  }

  private mutating func simulate() {
    startReady()
    while !driver.isFinished {
      if running.isEmpty {
        settleAtRest()
      } else {
        endNext()
      }
      startReady()
    }
  }

  private mutating func settleAtRest() {
    let before = driver.settledCount
    for (pebble, holder) in plan.holders.sorted(by: { $0.key < $1.key })
    where driver.state.status(of: pebble) == .waiting
      && driver.state.value(ofGate: pebble) == true
    {
      driver.holderStuck(holder, heldFrom: pebble, at: now)
    }
    guard driver.settledCount == before else { return }
    driver.settleAtRest(model.pond.operands, at: now)
  }

  private mutating func endNext() {
    guard let first = running.min else { return }
    now = first.finished
    while let next = running.min, next.finished == now {
      _ = running.popMin()
      driver.end(
        next.pebble, succeeded: plan.failures[next.pebble] == nil,
        cases: plan.cases(of: next.pebble), at: now)
    }
  }

  private mutating func startReady() {
    while let pebble = driver.takeReady() {
      driver.start(pebble, at: now)
      let end = now.addingSaturated(plan.duration(of: pebble))
      running.insert(RunningBody(finished: end, started: startedCount, pebble: pebble))
      startedCount += 1
    }
  }
}

extension Simulator {
  /// Returns the queue that applies ranks and limits; `nil` if each pebble may start as soon as it
  /// is ready.
  private static func admission(_ model: PondModel, _ plan: SimulationPlan) -> AdmissionQueue? {
    guard !plan.ignoresLimits else { return nil }
    let limits = model.limits.adding(
      workers: plan.workers.map { max($0, 1) }, heldAloneBy: plan.mainActor,
      pebbleCount: model.count)
    guard !limits.isUnlimited else { return nil }
    let ranks = PebbleRanks(
      model.pond.network,
      priorities: model.properties.compactMapValues { $0.priority == 0 ? nil : $0.priority },
      durations: plan.earlierDurations)
    return AdmissionQueue(ranks: ranks.ranks, limits)
  }

  private func recordedRun() -> RecordedRun {
    RecordedRun(
      unchecked: model, pebbles: (0..<model.count).map(recordedPebble),
      makespan: now.asNanoseconds,
      cancellation: plan.cancelled.isEmpty ? nil : plan.cancellation
    ).noting(decidersOf: driver.state)
  }

  private func recordedPebble(_ pebble: Int) -> RecordedPebble {
    let (graph, state) = (model.pond.graph, driver.state)
    let finished = state.finishTime(of: pebble).asNanoseconds
    let cause = state.cause(of: pebble)
    if let reason = state.skipReason(of: pebble, graph.names) {
      return RecordedPebble(
        name: graph.names[pebble], outcome: .skipped(reason), ready: nil, started: nil,
        finished: finished, decidedBy: cause, attempts: [])
    }
    let error = plan.failures[pebble]
    let started = state.startTime(of: pebble).asNanoseconds
    let attempt = RecordedAttempt(started: started, finished: finished, error: error)
    let isCalled = plan.kept[pebble] == nil && !model.isGiven(at: pebble)
    return RecordedPebble(
      name: graph.names[pebble], outcome: error.map(RecordedOutcome.failed) ?? .succeeded,
      ready: state.readyTime(of: pebble).asNanoseconds, started: started, finished: finished,
      decidedBy: cause,
      attempts: isCalled ? [attempt] : [], cases: state.cases(of: pebble),
      keptFrom: plan.kept[pebble])
  }
}

extension ResourceTable {
  /// Returns these limits with up to two more: at most `workers` pebbles may run at a time, and at
  /// most one of the `exclusive` pebbles. Cluster limits are kept.
  fileprivate func adding(
    workers: Int?, heldAloneBy exclusive: Set<Int>, pebbleCount: Int
  ) -> ResourceTable {
    guard workers != nil || !exclusive.isEmpty else { return self }
    let most = [maxConcurrent, workers].compactMap { $0 }.min()
    var uses: [[Use]] = []
    if !exclusive.isEmpty || !capacities.isEmpty {
      uses = (0..<pebbleCount).map { pebble in
        let own = Array(self.uses(of: UInt32(pebble)))
        return exclusive.contains(pebble)
          ? own + [Use(resource: capacities.count, units: 1)] : own
      }
    }
    return ResourceTable(
      capacities: capacities + [1], uses: uses, maxConcurrent: most, groups: groups)
  }
}

/// A running body. Bodies are ordered by end time, then by start, then by definition order.
struct RunningBody: Comparable {
  let finished: UInt64

  /// The time at which the body started, in nanoseconds, or a number that reflects the order in
  /// which bodies started.
  let started: UInt64

  let pebble: Int

  static func < (one: RunningBody, other: RunningBody) -> Bool {
    (one.finished, one.started, one.pebble) < (other.finished, other.started, other.pebble)
  }
}
