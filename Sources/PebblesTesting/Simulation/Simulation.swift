import Pebbles
import Synchronization

/// One simulated run.
struct Simulation: Sendable {
  let clock = TestClock()
  private let program: Program
  private let endless = Endless()

  /// The number of attempts after which a pebble is assumed to be retried endlessly.
  private static let mostAttempts = 10_000

  /// A record of the pebble that would be retried endlessly, if any. The run is cancelled when such
  /// a pebble is found.
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

    /// Releases the run, to break a reference cycle: the program holds this object, and the run
    /// holds the program.
    func end() {
      state.withLock { $0.run = nil }
    }

    func found(_ pebble: Int) {
      let run = state.withLock { state in
        state.pebble = pebble
        return state.run
      }
      run?.cancel()
    }
  }

  init(_ program: Program, _ standIns: StandIns) {
    let (clock, endless) = (clock, endless)
    let names = program.pond.graph.names
    self.program = program.withStandIns(disabled: standIns.disabled, cases: standIns.cases) {
      pebble in
      guard let behavior = standIns.behaviors[pebble] else { return {} }
      // Made once, for Swift Testing keeps a table of all errors that are alive.
      let failure: any Error = SimulatedFailure(pebble: names[pebble])
      return {
        let attempt = PebbleContext.current?.attempt ?? 1
        if attempt > Self.mostAttempts { endless.found(pebble) }
        if behavior.duration > .zero { try await clock.sleep(for: behavior.duration) }
        if attempt <= behavior.failures { throw failure }
      }
    }
  }

  func run(
    _ targets: [any PebbleIdentifying]?, _ limit: Duration?, _ explorer: Explorer
  ) async throws -> Report {
    var explorer = explorer
    let result = Mutex<Result<Report, any Error>?>(nil)
    let trial = await explorer.runNext {
      let report = await Result {
        let run = try program.start(only: targets, clock: clock, within: limit)
        endless.begin(run)
        defer { endless.end() }
        return try await run.reportAfterShutdown(if: program.hasTeardowns)
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

/// An error that lists all problems with a simulation, not just the first.
public struct SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The problems, each as a sentence; never empty.
  public let problems: [String]

  /// A heading with the name of the pond, followed by the problems, one per line.
  public var description: String {
    let heading = "the pond \(pondName.swiftLiteral) cannot be simulated in this way:"
    return ([heading] + problems.map { "  - \($0)" }).joined(separator: "\n")
  }
}

/// The error thrown by a pebble that is meant to fail in a simulation.
public struct SimulatedFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// A sentence that states the failure. It is the same for all pebbles.
  public var description: String { "it fails in this simulation" }
}
