/// What one run was given.
struct RunOptions: Sendable {
  /// How long after its start the run is cancelled, in nanoseconds.
  var deadline: UInt64?

  /// What a run is for.
  enum Purpose {
    /// To run a pond. It is cancelled at its deadline.
    case run

    /// To tear another run down. At its deadline the bodies fail with this that have not ended;
    /// what is ready after that starts all the same, and is given up at once.
    case teardown(PebbleTimeout?)

    /// To call a single body for a run that is driven from elsewhere, which is this. There is
    /// nothing then for others to be inside of or to wait for.
    case singleCall(RunIdentifier)
  }

  var purpose = Purpose.run

  /// How long each pebble took in an earlier run, in nanoseconds.
  var durations: [UInt64]?

  /// The pebbles that the run was asked for; `nil` for all.
  var targets: Set<Int>?

  /// The pebbles that the run is of; `nil` if it is of all.
  var subset: Set<Int>?

  /// What the run is given, by pebble.
  var given: [Int: AnyOutput] = [:]

  /// What the run goes on with, if it resumes another one.
  var resumption: Resumption?

  /// What keeps the run beyond its process, and what it has kept.
  var recording: RunRecording?

  /// How many of its events the run keeps for observers that come later.
  var eventHistory = 0

  /// Where all tasks of the run are made and all bodies run, whatever pebbles say; `nil` for where
  /// they would be otherwise. Nothing in the run depends on real time then.
  var executor = Self.currentExecutor

  /// Whether the run belongs to nobody, even if it is started inside of another one.
  var isDetached = false

  /// Whether the one that starts the run waits for its end, and for nothing else.
  var isAwaited = false

  /// Where blocking bodies run.
  var blockingThreads = BlockingThreads.shared

  /// The executor of runs that are started in this task: how tests get hold of all that a run does,
  /// and of the runs inside of it.
  @TaskLocal static var currentExecutor: (any TaskExecutor)?

  init() {}

  /// Beside what it keeps, it is told of `faults` in what else the run was given, and of what the
  /// run was given that it resumes, which counts where it is given nothing.
  ///
  /// - Throws: ``PondError`` with all that is wrong.
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
          .invalidRun(problem: "is to end within \(limit); it must be longer than zero"))
      }
      deadline = limit.nanoseconds
    }
    if eventHistory < 0 {
      faults.append(
        .invalidRun(problem: "is to keep \(eventHistory) events; it must be 0 or more"))
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
    durations = report.map { $0.durations(of: program.pond.graph.names) }
  }
}

extension Program {
  /// What a run is given, checked as for a run that starts.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - targets: What the run is of, and all that this needs; `nil` if it is of all.
  /// - Returns: The output of each pebble that is given and that the run is of, defaults as well.
  /// - Throws: ``PondError`` with all that is wrong, with the definition too.
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

  /// The run that is driven from elsewhere.
  var runElsewhere: RunIdentifier? {
    if case .singleCall(let run) = self { run } else { nil }
  }
}

extension Report {
  /// How long the pebbles of these names took, in nanoseconds; 0 for those that did not run.
  fileprivate func durations(of names: StableSlice<String>) -> [UInt64] {
    var known: [String: UInt64] = [:]
    for record in records {
      if let duration = record.duration { known[record.name] = duration.nanoseconds }
    }
    return names.map { known[$0, default: 0] }
  }
}
