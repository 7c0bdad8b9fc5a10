import Pebbles
import Workloads

/// The plan for a round of the soak. It depends only on a seed and the round's number. The result
/// of the round also depends on timing, within the limits that a pond guarantees.
struct SoakPlan: Sendable {
  enum Policy: Sendable {
    case ignore, cancelAll
    /// A policy that cancels the run if the position of the failed pebble is a multiple of the
    /// given number.
    case custom(Int)
  }

  /// The moment of an event in a run.
  enum Moment: Sendable {
    case turns(Int)
    case time(Duration)

    func pass(_ clock: LeapingClock) async {
      switch self {
      case .turns(let count): for _ in 0..<count { await Task.yield() }
      case .time(let time): try? await clock.sleep(for: time)
      }
    }
  }

  struct Shutdown: Sendable {
    let moment: Moment
    let limit: Duration?
  }

  /// The observers of the events of a run.
  enum Observation: Sendable {
    case nobody
    /// A single observer that receives all events.
    case history
    /// A fast observer, and a slow one with a small buffer.
    case slow(capacity: Int, Duration)
  }

  struct Grant: Sendable {
    let isRefused: Bool
    let expiry: Moment?
  }

  enum Scenario: Sendable {
    /// A call to `run`. If `isRepeated` is `true`, it is followed by a second call, so that the
    /// second run can learn from the first one.
    case run(isRepeated: Bool)
    /// A run that is started with `start`. It is shut down any number of times, at its end or
    /// earlier.
    case start(shutdowns: [Shutdown])
    /// A run that continues until the process receives a signal.
    case untilSignal(Moment, shutdownLimit: Duration?)
    /// A refresh that is requested by one or more callers. Each caller may be cancelled.
    case refresh([(begins: Moment, isCancelled: Moment?)])
  }

  static let connections = 3

  let seed: UInt64
  let number: Int
  var pebbles: [SoakPebble] = []
  var maxConcurrent: Int?
  var policy = Policy.ignore
  var layers = 0
  /// Whether the pebbles are defined in a separate pond, which is then added to the running pond as
  /// a cluster.
  var isCluster = false
  var within: Duration?
  var scenario = Scenario.run(isRepeated: false)
  var cancellation: Moment?
  var observation = Observation.nobody
  var grant: Grant?
  var turnsBeforeLeaps = 0
  /// The generator for the turns of the clock.
  let generator: SeededGenerator
}

extension SoakPlan {
  /// Returns the position of the pebble with the given name. The name ends with `p` and the
  /// position.
  func position(of name: String) -> Int {
    let digits = name.split(separator: "p").last.map { Int($0) } ?? nil
    guard let position = digits, pebbles.indices.contains(position) else {
      preconditionFailure("the plan has no pebble \(name)")
    }
    return position
  }

  func pebble(named name: String) -> SoakPebble { pebbles[position(of: name)] }

  /// Whether the run or one of its shutdowns has a time limit. If so, every stuck body is
  /// eventually given up.
  var hasLastMoment: Bool {
    switch scenario {
    case .start(let shutdowns): within != nil || shutdowns.contains { $0.limit != nil }
    case .untilSignal(_, let limit): within != nil || limit != nil
    case .run, .refresh: within != nil
    }
  }

  /// Whether a shutdown may have a time limit.
  var hasShutdownLimit: Bool {
    switch scenario {
    case .start(let shutdowns): shutdowns.contains { $0.limit != nil }
    case .untilSignal(_, let limit): limit != nil
    case .run, .refresh: false
    }
  }

  /// Whether the plan is a refresh. A refresh must not have services, because they would continue
  /// after it.
  private var isRefreshed: Bool {
    if case .refresh = scenario { true } else { false }
  }

  var isShutDown: Bool {
    switch scenario {
    case .start(let shutdowns): !shutdowns.isEmpty
    case .untilSignal: true
    case .run, .refresh: false
    }
  }

  init(seed: UInt64, number: Int, pebbleCount: Int = 30) {
    var seeds = SeededGenerator(seed: seed)
    // The seed and the number must not be interchangeable.
    var draw = SeededGenerator(seed: seeds.next() ^ UInt64(truncatingIfNeeded: number))
    self.seed = seed
    self.number = number
    generator = draw.split()
    drawPond(&draw)
    drawScenario(&draw)
    var maker = SoakPebbleMaker(
      pebbleCount: pebbleCount, hasLimits: maxConcurrent != nil || draw.chance(percent: 60),
      hasAround: layers > 0, isCluster: isCluster, hasLastMoment: hasLastMoment,
      hasServices: !isRefreshed, isShutDown: isShutDown, generator: draw)
    for position in 0..<pebbleCount { pebbles.append(maker.pebble(at: position, after: pebbles)) }
  }

  private mutating func drawPond(_ draw: inout SeededGenerator) {
    if draw.chance(percent: 40) { maxConcurrent = draw.number(in: 1...6) }
    policy = draw.pick([6: .ignore, 2: .cancelAll, 3: .custom(draw.number(in: 2...9))])
    if draw.chance(percent: 30) { layers = draw.number(in: 1...2) }
    isCluster = draw.chance(percent: 20)
    turnsBeforeLeaps = draw.pick([1: 0, 2: 4, 5: 16])
  }

  private mutating func drawScenario(_ draw: inout SeededGenerator) {
    if draw.chance(percent: 15) { within = draw.milliseconds(in: 10...200) }
    if draw.chance(percent: 20) { cancellation = Self.moment(&draw) }
    if draw.chance(percent: 15) {
      grant = Grant(
        isRefused: draw.chance(percent: 30),
        expiry: draw.chance(percent: 50) ? Self.moment(&draw) : nil)
    }
    observation = draw.pick([
      2: .nobody, 3: .history, 1: .slow(capacity: draw.number(in: 1...8), .milliseconds(2)),
    ])
    switch draw.number(in: 0...9) {
    case 0...4:
      let count = draw.number(in: 0...2)
      scenario = .start(
        shutdowns: (0..<count).map { _ in
          Shutdown(
            moment: draw.chance(percent: 40) ? Self.moment(&draw) : .time(.seconds(5)),
            limit: draw.chance(percent: 40) ? draw.milliseconds(in: 1...60) : nil)
        })
    case 5:
      scenario = .untilSignal(
        Self.moment(&draw),
        shutdownLimit: draw.chance(percent: 50) ? draw.milliseconds(in: 1...60) : nil)
    case 6...7:
      scenario = .run(isRepeated: draw.chance(percent: 40))
    default:
      scenario = .refresh(
        (1...draw.number(in: 1...5)).map { _ in
          (Self.moment(&draw), draw.chance(percent: 25) ? Self.moment(&draw) : nil)
        })
    }
  }

  private static func moment(_ draw: inout SeededGenerator) -> Moment {
    draw.chance(percent: 50)
      ? .turns(draw.number(in: 0...60)) : .time(draw.milliseconds(in: 0...120))
  }
}
