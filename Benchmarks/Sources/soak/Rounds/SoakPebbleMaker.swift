import Pebbles
import Workloads

/// A generator of random pebbles for a plan. It creates the pebbles one after another.
struct SoakPebbleMaker {
  let pebbleCount: Int
  let hasLimits: Bool
  let hasAround: Bool
  let isCluster: Bool
  /// Whether the run eventually gives up every stuck body. If so, the plan may contain stuck bodies
  /// without a time limit of their own.
  let hasLastMoment: Bool
  let hasServices: Bool
  let isShutDown: Bool
  var generator: SeededGenerator

  mutating func pebble(at position: Int, after earlier: [SoakPebble]) -> SoakPebble {
    var pebble = SoakPebble(name: isCluster ? "copy/p\(position)" : "p\(position)")
    drawForm(&pebble, at: position, after: earlier)
    drawCondition(&pebble, at: position)
    if generator.chance(percent: 8) { pebble.isEnabled = generator.chance(percent: 60) }
    if generator.chance(percent: 20) { pebble.timeout = generator.milliseconds(in: 3...40) }
    if generator.chance(percent: 30) { pebble.retry = retry() }
    if hasLimits { drawLimits(&pebble) }
    if generator.chance(percent: 35) { pebble.teardown = teardown() }
    pebble.attempts = (1...pebble.mostAttempts).map { _ in attempt(of: pebble) }
    return pebble
  }

  private mutating func drawForm(
    _ pebble: inout SoakPebble, at position: Int, after earlier: [SoakPebble]
  ) {
    let ticketed = earlier.indices.filter { position in
      switch earlier[position].form {
      case .plain, .inputs, .service: true
      case .callback: false
      }
    }
    switch generator.number(in: 0...9) {
    case 0 where hasServices:
      let restarted = ticketed.filter { position in
        earlier[position].isRestarted && earlier[position].service?.stopsBefore.isEmpty == true
      }
      pebble.form = .service(service(at: position, inputs(from: ticketed), restarted))
    case 1...2: pebble.form = .callback
    case 3...4: if let inputs = inputs(from: ticketed) { pebble.form = .inputs(inputs) }
    default: break
    }
    if pebble.isService { return }
    pebble.place = generator.pick([89: .pool, 5: .executor, 3: .threads, 4: .mainActor])
    if case .plain = pebble.form { return }
    if pebble.place == .mainActor { pebble.place = .pool }
  }

  private mutating func inputs(from ticketed: [Int]) -> SoakPebble.Inputs? {
    guard let first = ticketed.randomElement(using: &generator),
      let second = ticketed.randomElement(using: &generator)
    else { return nil }
    return generator.pick([
      2: .output(first), 1: .outputAndResult(first, second), 3: .resultAndOptional(first, second),
    ])
  }

  private mutating func service(
    at position: Int, _ inputs: SoakPebble.Inputs?, _ restarted: [Int]
  ) -> SoakPebble.Service {
    let ending: SoakPebble.Service.Ending =
      switch generator.number(in: 0...2) {
      case 0: .shutDown
      case 1: .ignore
      default:
        // Without a shutdown, services whose restart count is reset would be restarted forever.
        .restart(
          retry(),
          resetAfter: isShutDown && generator.chance(percent: 50) ? .milliseconds(20) : .seconds(60)
        )
      }
    // Only earlier pebbles, so that services do not stop before each other in a cycle.
    let targets =
      position > 0 && generator.chance(percent: 25)
      ? (0...1).map { _ in generator.number(in: 0...position - 1) } : []
    var inputs = generator.chance(percent: 40) ? inputs : nil
    var leader: Int?
    if generator.chance(percent: 70), let service = restarted.randomElement(using: &generator) {
      inputs =
        generator.chance(percent: 50) ? .output(service) : .resultAndOptional(service, service)
      leader = service
    }
    return SoakPebble.Service(
      ending: ending, inputs: inputs,
      stopWithin: generator.chance(percent: 60) ? generator.milliseconds(in: 1...30) : nil,
      // A pair that restarts together needs no additional order.
      stopsBefore: Array(Set(targets)).sorted(), restartsWith: leader)
  }

  private mutating func drawCondition(_ pebble: inout SoakPebble, at position: Int) {
    if generator.chance(percent: 4) {
      pebble.isFormulaSetLater = true
      pebble.formula = formula(over: 0..<pebbleCount)
    } else if position > 3, generator.chance(percent: 75) {
      pebble.formula = formula(over: 0..<position)
    }
  }

  private mutating func formula(over positions: Range<Int>) -> SoakFormula {
    switch generator.number(in: 0...99) {
    case 0..<45: return atom(over: positions)
    case 45..<65: return .all(atoms(over: positions))
    case 65..<85: return .any(atoms(over: positions))
    case 85..<90: return .not(atom(over: positions))
    case 90..<95: return .all([.any(atoms(over: positions)), atom(over: positions)])
    default:
      let completed = SoakFormula.atom(
        generator.number(in: 0...positions.upperBound - 1), .completed)
      return generator.chance(percent: 50) ? completed : .any([completed, atom(over: positions)])
    }
  }

  private mutating func atoms(over positions: Range<Int>) -> [SoakFormula] {
    (0...generator.number(in: 1...2)).map { _ in atom(over: positions) }
  }

  private mutating func atom(over positions: Range<Int>) -> SoakFormula {
    .atom(
      positions.randomElement(using: &generator) ?? 0,
      generator.pick([60: .succeeded, 15: .settled, 14: .completed, 8: .failed, 3: .skipped]))
  }

  private mutating func retry() -> SoakPebble.Retry {
    let isSelective = generator.chance(percent: 50)
    var isTransient: (@Sendable (any Error) -> Bool)?
    if isSelective { isTransient = { $0 as? SoakMishap != .fatal } }
    let count = generator.number(in: 1...3)
    if generator.chance(percent: 40) {
      return SoakPebble.Retry(
        mostAttempts: count + 1, leastWaits: Array(repeating: .zero, count: count),
        isSelective: isSelective, policy: .attempts(count + 1, only: isTransient))
    }
    let initial = generator.milliseconds(in: 1...10)
    let maximum = initial * 3
    let (jitter, share): (Jitter, Int) = generator.pick([
      1: (.none, 2), 2: (.full(using: generator), 0), 3: (.equal(using: generator), 1),
    ])
    let ceilings = (0..<count).map { min(initial * (1 << $0), maximum) }
    return SoakPebble.Retry(
      mostAttempts: count + 1, leastWaits: ceilings.map { $0 * share / 2 },
      isSelective: isSelective,
      policy: .backoff(
        attempts: count + 1, initial: initial, maximum: maximum, jitter: jitter,
        only: isTransient))
  }

  private mutating func drawLimits(_ pebble: inout SoakPebble) {
    if generator.chance(percent: 15) {
      pebble.exclusiveKey = generator.pick([2: "database", 1: "disk"])
    }
    if !pebble.hasInputs, generator.chance(percent: 20) {
      pebble.connections = generator.number(in: 1...SoakPlan.connections)
    }
    if generator.chance(percent: 15) { pebble.priority = generator.number(in: -1...1) }
  }

  private mutating func work(waits percent: Int) -> SoakWork {
    SoakWork(
      turns: generator.number(in: 0...3),
      wait: generator.chance(percent: percent) ? generator.milliseconds(in: 1...30) : nil,
      isStubborn: generator.chance(percent: 10))
  }

  private mutating func teardown() -> SoakWork {
    var work = work(waits: 40)
    if generator.chance(percent: 10) { work.mishap = .fatal }
    return work
  }

  /// Returns whether the body may be stuck. This is the case only if the attempts have a time limit
  /// and, for a service, stopping it has a time limit too.
  private func mayBeStuck(_ pebble: SoakPebble) -> Bool {
    if let service = pebble.service, service.stopWithin == nil { return false }
    return pebble.timeout != nil || hasLastMoment
  }

  private mutating func attempt(of pebble: SoakPebble) -> SoakAttempt {
    var attempt = SoakAttempt(work: work(waits: 60))
    attempt.work.isStuck = mayBeStuck(pebble) && generator.chance(percent: 2)
    attempt.mishap = generator.pick([85: nil, 11: .transient, 4: .fatal])
    if hasAround {
      attempt.aroundFault = generator.pick([95: .none, 3: .insteadOfBody, 2: .afterBody])
    }
    if generator.chance(percent: 4) {
      attempt.nestedPebbles = generator.number(in: 1...4)
      attempt.nestedDepth = generator.number(in: 1...3)
      attempt.isNestedAfterReady = generator.chance(percent: 50)
    }
    switch pebble.form {
    case .plain, .inputs: break
    case .callback:
      let delay = generator.milliseconds(in: 1...30)
      attempt.call = generator.pick([
        40: .once, 30: .later(delay), 9: .twice, 8: .twiceAtOnce, 7: .onceAndLate(delay),
        3: .never, 2: .droppedLater(delay),
      ])
    case .service:
      let stop = generator.chance(percent: 30) ? generator.milliseconds(in: 1...30) : nil
      // Without a limit, a shutdown would wait for it forever.
      let stubborn: SoakServiceLife =
        pebble.service?.stopWithin == nil ? .untilStopped(stubbornFor: stop) : .neverStops
      attempt.service = generator.pick([
        40: .untilStopped(stubbornFor: stop), 5: .endsBeforeReady, 10: stubborn,
        30: .drains(generator.milliseconds(in: 1...40)),
        14: .endsAfter(generator.milliseconds(in: 0...40), nil),
        13: .endsAfter(generator.milliseconds(in: 0...40), .fatal),
      ])
    }
    return attempt
  }
}
