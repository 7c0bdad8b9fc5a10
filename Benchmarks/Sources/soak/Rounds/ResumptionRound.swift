import Pebbles
import Workloads

/// A round of the soak in which a run with unreliable bodies is resumed again and again. Bodies
/// fail, services end without being asked to stop, and some bodies are stuck for a while.
/// Meanwhile, runs are cancelled and shut down, in any order and concurrently.
///
/// Every resource must be closed exactly once. A body must not run concurrently with itself, and
/// must not receive a closed resource. If runs wait for all bodies to end, a resource must not be
/// closed before the bodies that use it have ended.
struct ResumptionRound: Sendable {
  private typealias Opened = ResumptionLedger.Opened

  private let bodies: ResumptionBodies
  private let pond = Pond("again")
  private var pebbles: [Pebble<ResumptionLedger.Opened>] = []

  /// The pebbles whose outputs stay open while bodies use them. These are the pebbles that have a
  /// teardown but no timeout; the body of a pebble with a timeout may end late.
  private var lasting: Set<Int> = []

  init(seed: UInt64, number: Int) {
    var seeds = SeededGenerator(seed: seed ^ 0x5EED)
    var generator = SeededGenerator(seed: seeds.next() ^ UInt64(truncatingIfNeeded: number))
    bodies = ResumptionBodies(&generator, isPatient: generator.chance(percent: 60))
    for position in 0..<generator.number(in: 6...14) { add(position, &generator) }
  }

  // MARK: The pond

  private mutating func add(_ position: Int, _ generator: inout SeededGenerator) {
    let known = pebbles.indices.shuffled(using: &generator)
    let inputs = known.prefix(generator.number(in: 0...min(2, known.count)))
    let needs = inputs.map { pebbles[$0].optional }
    var condition = Condition.all(inputs.map { pebbles[$0].succeeded })
    if let other = known.last, generator.chance(percent: 30) {
      condition = condition || pebbles[other].failed
    }
    let uses = Set(inputs.filter(lasting.contains))
    let (name, bodies) = ("p\(position)", bodies)
    switch generator.number(in: 0...9) {
    case 0...2:
      let ending = generator.pick([
        1: ServiceEnding.ignore, 2: .shutDown, 3: .restart(.attempts(3)),
      ])
      let serve: @Sendable (ServiceReady<Opened>, [Opened?]) async throws -> Void = {
        try await bodies.serve(position, using: $1, of: uses, $0)
      }
      pebbles.append(
        bodies.isPatient
          ? pond.service(name, .ending(ending), needs: needs, when: condition, body: serve)
          : pond.service(
            name, .ending(ending), .stopWithin(.milliseconds(10)), needs: needs, when: condition,
            body: serve))
    case 3...6:
      lasting.insert(position)
      pebbles.append(
        pond.pebble(
          name, needs: needs, when: condition, teardown: { await bodies.close($0) }
        ) { inputs in
          try await bodies.open(position, using: inputs, of: uses)
        })
    default:
      let stuck = generator.chance(percent: 30) ? 30 : 0
      pebbles.append(
        pond.pebble(
          name, .timeout(.milliseconds(generator.number(in: 5...40))),
          .retry(.attempts(generator.number(in: 1...2))), needs: needs, when: condition,
          teardown: { await bodies.close($0) }
        ) { inputs in
          try await bodies.openLate(position, using: inputs, of: uses, stuckPercent: stuck)
        })
    }
  }

  // MARK: The runs

  /// Runs the round.
  ///
  /// - Returns: The errors found.
  func run() async -> [String] {
    do {
      var runs = [try pond.start(clock: bodies.clock)]
      for _ in 0..<bodies.number(in: 1...6) {
        disturb(runs)
        _ = try await runs[runs.count - 1].report
        if let next = await resumed(runs) { runs.append(next) }
      }
      try await shutDown(runs)
    } catch {
      bodies.ledger.complain("the pond did not run: \(error)")
    }
    bodies.clock.end()
    let begun = ContinuousClock.now
    while !bodies.ledger.isAtRest, ContinuousClock.now - begun < .seconds(10) { await Task.yield() }
    return bodies.ledger.complaints + (bodies.ledger.isAtRest ? [] : [bodies.ledger.unfinished])
  }

  private func disturb(_ runs: [Run]) {
    guard bodies.chance(30) else { return }
    let run = runs[bodies.number(in: 0...runs.count - 1)]
    let isCancelled = bodies.chance(50)
    Task { [bodies] in
      await bodies.pause()
      if isCancelled { run.cancel() } else { _ = try? await run.shutdown() }
    }
  }

  /// Resumes a run and returns the new run; `nil` if the run cannot be resumed, for example because
  /// it is being shut down.
  private func resumed(_ runs: [Run]) async -> Run? {
    let run = bodies.chance(80) ? runs[runs.count - 1] : runs[bodies.number(in: 0...runs.count - 1)]
    let target = pebbles[bodies.number(in: 0...pebbles.count - 1)]
    return try? await run.resumed(
      only: bodies.chance(15) ? [target] : nil, clock: bodies.clock,
      within: bodies.isPatient || bodies.chance(70)
        ? nil : .milliseconds(bodies.number(in: 5...60)))
  }

  private func shutDown(_ runs: [Run]) async throws {
    let order = bodies.shuffled(runs)
    if bodies.chance(50) {
      for run in order { try await run.shutdown() }
    } else {
      try await withThrowingTaskGroup { group in
        for run in order { group.addTask { try await run.shutdown() } }
        try await group.waitForAll()
      }
    }
  }
}
