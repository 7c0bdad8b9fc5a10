import Pebbles
import PebblesAnalysis
import Synchronization

extension Pond {
  /// Runs the logic of the pond without its bodies.
  ///
  /// ```swift
  /// let report = try await pond.simulate(failing: [ping, cores], taking: [launches: .seconds(2)])
  /// #expect(report.ran(showOffline))
  /// ```
  ///
  /// This is a real run, with conditions, limits, priorities, timeouts, retries, services and what
  /// a failure means; but in the place of bodies there are stand-ins, which take their time on a
  /// virtual clock, and return or throw ``SimulatedFailure``. All on one thread, so that the same
  /// simulation gives the same report, and in no time: when nothing else can go on, the clock
  /// advances.
  ///
  /// To fail and to be disabled mean the same as in `PebblesAnalysis`, see `Assumption` there;
  /// but only a simulation goes by the failure policy of the pond.
  ///
  /// Besides predicates, retry filters and a custom failure policy, which are logic, no code of the
  /// pond is called: no body, no teardown, no `.enabled`, nothing around bodies. So there are no
  /// outputs: the report has none, and predicates that look at outputs find `nil`. Waits between
  /// attempts are as random as their jitter. At its end the run is shut down, so that
  /// `Report.shutdown` tells in which order things would be torn down.
  ///
  /// - Parameters:
  ///   - failing: The pebbles that fail, in every attempt. All others succeed.
  ///   - flaky: How many attempts fail before one succeeds.
  ///   - taking: How long each attempt takes, or a service until it is ready; no time if not given.
  ///   - disabling: The pebbles that take no part, as if their `.enabled` said so. All others do.
  ///   - deadline: How long after its start the run ends at the latest: a span, not an instant.
  /// - Returns: What happened.
  /// - Throws: ``SimulationError`` if a pebble is not of this pond, a time is negative or a pebble
  ///   would be tried again without end; `PondError` if the pond is defined wrongly, or the
  ///   deadline is not longer than zero; ``ExplorationError/noThread``.
  /// - Complexity: O((pebbles + attempts) · log pebbles + atoms), like a run.
  public func simulate(
    failing: [any PebbleIdentifying] = [],
    flaky: KeyValuePairs<any PebbleIdentifying, Int> = [:],
    taking: KeyValuePairs<any PebbleIdentifying, Duration> = [:],
    disabling: [any PebbleIdentifying] = [], deadline: Duration? = nil
  ) async throws -> Report {
    let program = self.program()
    var cast = Cast(program.pond.graph)
    for pebble in failing { cast.fail(pebble, attempts: .max) }
    for (pebble, attempts) in flaky { cast.fail(pebble, attempts: attempts) }
    for (pebble, duration) in taking { cast.delay(pebble, by: duration) }
    for pebble in disabling { cast.disable(pebble) }
    guard cast.problems.isEmpty else {
      throw SimulationError(pondName: name, problems: cast.problems)
    }
    let simulation = Simulation(program, cast)
    let explorer = try Explorer(.inOrder, simulation.clock, ScheduleLoop.Options())
    return try await explorer.thread.call { try await simulation.run(deadline, explorer) }
  }
}

/// What the stand-ins are to do.
private struct Cast {
  struct Part {
    var failures = 0
    var duration = Duration.zero
  }

  private(set) var parts: [Int: Part] = [:]
  private(set) var disabled: Set<Int> = []
  private(set) var problems: [String] = []
  private var positions: PebblePositions

  init(_ graph: PondGraph) {
    positions = PebblePositions(graph)
  }

  mutating func fail(_ pebble: any PebbleIdentifying, attempts: Int) {
    guard let position = position(of: pebble) else { return }
    if attempts < 0 {
      problems.append(
        "\(pebble.pebbleID.description.swiftLiteral) is to fail \(attempts) times; "
          + "it must be 0 or more")
    }
    parts[position, default: Part()].failures = max(attempts, parts[position]?.failures ?? 0)
  }

  mutating func delay(_ pebble: any PebbleIdentifying, by duration: Duration) {
    guard let position = position(of: pebble) else { return }
    if duration < .zero {
      problems.append(
        "\(pebble.pebbleID.description.swiftLiteral) is to take \(duration); "
          + "it must be zero or longer")
    }
    parts[position, default: Part()].duration = duration
  }

  mutating func disable(_ pebble: any PebbleIdentifying) {
    if let position = position(of: pebble) { disabled.insert(position) }
  }

  private mutating func position(of pebble: any PebbleIdentifying) -> Int? {
    do throws(UnknownPebbleError) {
      return try positions.position(of: pebble)
    } catch {
      problems.append(error.description)
      return nil
    }
  }
}

/// One simulated run.
private struct Simulation: Sendable {
  let clock = TestClock()
  private let program: Program
  private let endless = Endless()

  /// A pebble that has been tried so often is taken to be tried for ever.
  private static let mostAttempts = 100_000

  /// The pebble, if any, that would be tried for ever; then the run is cancelled.
  private final class Endless: Sendable {
    private struct State {
      var run: Run?
      var pebble: Int?
    }

    private let state = Mutex(State())

    var pebble: Int? { state.withLock(\.pebble) }

    func begin(_ run: Run) {
      state.withLock { $0.run = run }
    }

    /// The program holds this, and a run the program.
    func end() {
      state.withLock { $0.run = nil }
    }

    func isTried(_ pebble: Int) {
      let run = state.withLock { state in
        state.pebble = pebble
        return state.run
      }
      run?.cancel()
    }
  }

  init(_ program: Program, _ cast: Cast) {
    let (clock, endless) = (clock, endless)
    let names = program.pond.graph.names
    self.program = program.withStandIns(disabled: cast.disabled) { pebble in
      guard let part = cast.parts[pebble] else { return {} }
      return {
        let attempt = PebbleContext.current?.attempt ?? 1
        if attempt > Self.mostAttempts { endless.isTried(pebble) }
        if part.duration > .zero { try await clock.sleep(for: part.duration) }
        if attempt <= part.failures { throw SimulatedFailure(pebble: names[pebble]) }
      }
    }
  }

  func run(_ deadline: Duration?, _ explorer: Explorer) async throws -> Report {
    var explorer = explorer
    let result = Mutex<Result<Report, any Error>?>(nil)
    let trial = await explorer.runNext {
      let report = await Result {
        let run = try program.start(clock: clock, deadline: deadline)
        endless.begin(run)
        defer { endless.end() }
        return try await run.reportAfterShutdown(if: program.canBeTornDown)
      }
      result.withLock { $0 = report }
    }
    try Task.checkCancellation()
    let pondName = program.pond.graph.pondName
    if let pebble = endless.pebble {
      let name = program.pond.graph.names[pebble].swiftLiteral
      throw SimulationError(
        pondName: pondName,
        problems: [
          "\(name) has failed \(Self.mostAttempts) times and would be tried again; let it be tried "
            + "less often, or not fail"
        ])
    }
    guard trial.ending.obstacle == nil, let report = result.withLock({ $0 }) else {
      throw SimulationError(pondName: pondName, problems: ["the run does not end"])
    }
    return try report.get()
  }
}

/// A simulation was asked for what cannot be meant. Lists every problem, not only the first.
public struct SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// What is wrong, each a sentence; never empty.
  public let problems: [String]

  /// All problems, a line each.
  public var description: String {
    let heading = "the pond \(pondName.swiftLiteral) cannot be simulated like that:"
    return ([heading] + problems.map { "  - \($0)" }).joined(separator: "\n")
  }
}

/// What a pebble fails with that is to fail in a simulation.
public struct SimulatedFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// The failure as a clause.
  public var description: String { "it was to fail in this simulation" }
}
