/// The options of one run.
struct RunOptions: Sendable {
  /// The deadline of the run, in nanoseconds since the start of the run; `nil` for no deadline. The
  /// effect of the deadline depends on the purpose of the run.
  var deadline: UInt64?

  /// The time limit for any shutdown of the run; `nil` for no limit.
  var shutdownLimit: Duration?

  /// The purpose of a run.
  enum Purpose {
    /// An ordinary run of a pond, which is cancelled at its deadline.
    case run

    /// The teardown of another run. Bodies that have not ended at the deadline fail with the given
    /// error. Bodies that are due after the deadline are still started, but are abandoned
    /// immediately. The error is `nil` if there is no deadline.
    case teardown(PebbleTimeout?)

    /// A call to a single body on behalf of the given run, which is driven elsewhere; see
    /// `SingleCall`. A run with this purpose can contain no other runs, and no run can wait for it.
    /// The name is the pebble's name in the given run; `nil` if the pebble has not been renamed.
    case singleCall(RunIdentifier, originalName: String?)
  }

  var purpose = Purpose.run

  /// The duration of each pebble in an earlier run, in nanoseconds; `nil` if no report of an
  /// earlier run was given.
  var durations: [UInt64]?

  /// The requested pebbles; `nil` if all pebbles are requested.
  var targets: Set<Int>?

  /// The pebbles that take part in the run: the requested pebbles and their dependencies; `nil` if
  /// all pebbles take part.
  var subset: Set<Int>?

  /// The values given to the run, keyed by pebble.
  var given: [Int: AnyOutput] = [:]

  /// The state that the run takes over from an earlier run; `nil` if it does not resume a run.
  var resumption: Resumption?

  /// The recording of the run for later processes; `nil` if the run is not recorded.
  var recording: RunRecording?

  /// The number of events that the run keeps for observers that are added later.
  var eventHistory = 0

  /// The executor for all tasks and bodies of the run; `nil` for the usual executors. This executor
  /// takes precedence over those of pebbles, and with it, nothing in the run depends on real time.
  var executor = Self.currentExecutor

  /// Whether the run is independent even if it is started inside another run.
  var isDetached = false

  /// Whether the caller starts the run and immediately waits for its end.
  var isAwaited = false

  /// The threads on which blocking bodies run.
  var blockingThreads = BlockingThreads.shared

  /// The executor for runs started in this task. Tests use it to control everything that a run and
  /// its inner runs do.
  @TaskLocal static var currentExecutor: (any TaskExecutor)?

  init() {}

  /// Creates options, and checks them together with the definition.
  ///
  /// - Parameters:
  ///   - values: The values given to the run.
  ///   - targets: The requested pebbles; `nil` for those of `earlier`, or for all pebbles if
  ///     `earlier` is `nil`.
  ///   - limit: The time after which the run is cancelled; `nil` for no limit.
  ///   - report: The report of an earlier run. The durations in the report determine the order in
  ///     which pebbles start.
  ///   - eventHistory: The number of events to keep for later observers.
  ///   - others: Faults that the caller has found in other arguments. They are part of the error.
  ///   - earlier: The options of the run to resume; `nil` if the new run does not resume a run.
  ///     These options supply the values that `values` does not contain, the targets if `targets`
  ///     is `nil`, and the time limit of shutdowns.
  ///   - program: The program to run.
  /// - Throws: ``PondError`` with all faults.
  init(
    given values: [GivenValue] = [], only targets: [any PebbleIdentifying]? = nil,
    within limit: Duration?, learningFrom report: Report?, eventHistory: Int,
    faults others: [PondError.Fault] = [], resuming earlier: RunOptions? = nil,
    of program: Program
  ) throws(PondError) {
    var faults = program.pond.faults
    if let limit {
      if limit <= .zero {
        faults.append(
          .invalidRun(problem: "has a time limit of \(limit); it must be longer than zero"))
      }
      deadline = limit.nanoseconds
    }
    if eventHistory < 0 {
      faults.append(
        .invalidRun(problem: "has an event history of \(eventHistory); it must be 0 or more"))
    }
    if let targets {
      do {
        let positions = try program.pond.positions(of: targets)
        self.targets = positions
        subset = program.subset(for: positions)
      } catch {
        faults += error.faults
      }
    } else if let earlier = earlier?.targets {
      self.targets = earlier
      subset = program.subset(for: earlier)
    }
    let (outputs, problems) = program.outputs(
      given: values, after: earlier?.given ?? [:], in: subset)
    given = outputs
    faults += problems + others
    guard faults.isEmpty else {
      throw PondError(pondName: program.pond.graph.pondName, faults: faults)
    }
    self.eventHistory = eventHistory
    shutdownLimit = earlier?.shutdownLimit
    durations = report.map { $0.durations(of: program.pond.graph.names) }
  }
}

extension Program {
  /// Checks that a run can be started with the given values, and returns the resulting outputs.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - targets: The requested pebbles; `nil` for all pebbles.
  /// - Returns: The output of each given pebble that takes part, including defaults.
  /// - Throws: ``PondError`` with all faults, including those of the definition.
  package func outputs(
    given values: [GivenValue], only targets: [any PebbleIdentifying]?
  ) throws(PondError) -> [Int: AnyOutput] {
    let options = try RunOptions(
      given: values, only: targets, within: nil, learningFrom: nil, eventHistory: 0, of: self)
    return options.given.filter { options.subset?.contains($0.key) != false }
  }
}

extension RunOptions.Purpose {
  var isTeardown: Bool {
    if case .teardown = self { true } else { false }
  }

  /// The run for which a single body is called; `nil` for any other purpose.
  var runElsewhere: RunIdentifier? {
    if case .singleCall(let run, _) = self { run } else { nil }
  }

  /// The name that the pebble has in the run for which its body is called; `nil` if the pebble has
  /// not been renamed, and for any other purpose.
  var originalName: String? {
    if case .singleCall(_, let name) = self { name } else { nil }
  }
}

extension Report {
  /// Returns the durations of the pebbles with the given names, in nanoseconds and in the order of
  /// the names. For a kept pebble, the duration is taken from the run that called the pebble's
  /// body. The duration of a pebble that did not run is 0.
  fileprivate func durations(of names: StableSlice<String>) -> [UInt64] {
    var known: [String: UInt64] = [:]
    for record in records {
      let kept = storage.kept[record.position]
      known[record.name] = kept?.duration ?? record.duration?.nanoseconds
    }
    return names.map { known[$0, default: 0] }
  }
}
