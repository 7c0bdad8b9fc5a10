/// The result of tearing down a run.
public struct ShutdownReport: Sendable {
  /// The name of the pond.
  public let pondName: String

  /// The records of the teardowns in the order in which they began, followed by the records of
  /// bodies that had not ended by the deadline.
  public let records: [TeardownRecord]

  /// The time that the teardown took, excluding any time that the shutdown spent waiting for the
  /// bodies of a run that had not ended.
  public let duration: Duration

  /// The reason why the run was shut down, such as a signal; `nil` if the shutdown has not ended
  /// yet, or if the run was cancelled and had nothing to tear down.
  public let reason: RunCancellation?

  /// The time from the start of the run to the start of the teardown; `nil` if the shutdown has not
  /// ended yet, or if the run was cancelled and had nothing to tear down.
  public let started: Duration?

  /// Creates the report of a teardown.
  ///
  /// - Parameters:
  ///   - pondName: The name of the pond.
  ///   - run: The report of the run whose bodies are the teardowns; `nil` if there was nothing to
  ///     tear down.
  ///   - pebbles: The pebbles, each with the position of its teardown in `run`, and with the
  ///     reports of the runs inside it.
  ///   - goesOn: A closure that returns whether a teardown's pebble is an abandoned service that
  ///     is still running.
  init(
    pondName: String, run: Report?,
    pebbles: [(step: Int, name: String, nested: [ShutdownReport])],
    goesOn: @escaping @Sendable (_ step: Int) -> Bool = { _ in false }
  ) {
    let records = pebbles.compactMap { step, name, nested in
      run.map { TeardownRecord(pebble: name, $0.records[step], nested) { goesOn(step) } }
    }
    // Records of teardowns that began at the same time stay in order.
    .sorted { ($0.started ?? .seconds(Int64.max)) < ($1.started ?? .seconds(Int64.max)) }
    self.init(pondName, records, run?.makespan ?? .zero)
  }

  /// Creates the report of the bodies that are still running, either at the deadline of a shutdown
  /// or while the shutdown continues.
  init(_ storage: RunStorage, stillRunning pebbles: [Int], within limit: Duration) {
    let records = pebbles.map { TeardownRecord(storage, stillRunning: $0, within: limit) }
    self.init(storage.pond.graph.pondName, records, limit)
  }

  /// Creates a report that combines several successive shutdowns and adds up their durations. There
  /// must be at least one shutdown.
  init(_ parts: [ShutdownReport]) {
    var records: [TeardownRecord] = []
    var duration = Duration.zero
    for part in parts {
      records += part.records.map { $0.later(by: duration) }
      duration += part.duration
    }
    let began = parts.first { $0.started != nil }
    self.init(
      parts.last?.pondName ?? "", records, duration, reason: began?.reason, started: began?.started)
  }

  private init(
    _ pondName: String, _ records: [TeardownRecord], _ duration: Duration,
    reason: RunCancellation? = nil, started: Duration? = nil
  ) {
    self.pondName = pondName
    self.records = records
    self.duration = duration
    self.reason = reason
    self.started = started
  }

  /// Returns the report of a whole shutdown, which consists of this report of the teardowns and
  /// additional records for bodies that were left behind. A pebble that already has a failure in
  /// this report gets no further record.
  func ofShutdown(
    _ reason: RunCancellation?, startedAt time: UInt64, leftBehind: ShutdownReport
  ) -> ShutdownReport {
    let named = Set(failures.map(\.pebble))
    let others = leftBehind.records.filter { !named.contains($0.pebble) }
    return ShutdownReport(
      pondName, records + others, duration, reason: reason, started: time.asNanoseconds)
  }

  /// The reason for the shutdown; `nil` if the program itself requested the shutdown, or if
  /// ``reason`` is `nil`.
  package var unaskedReason: RunCancellation? { reason?.unasked }

  /// An unavailable name for ``records``. Programmers often try this name first, and the compiler
  /// then suggests ``records``.
  @available(*, unavailable, renamed: "records")
  public var teardowns: [TeardownRecord] { records }

  /// The records of the teardowns that failed, and of the teardowns and bodies that had not ended
  /// by the deadline.
  public var failures: [TeardownRecord] { records.filter { $0.error != nil } }

  /// Throws an error if a teardown failed, or if a teardown or body had not ended by the deadline.
  ///
  /// - Throws: ``TeardownFailures`` with all failures.
  public func check() throws(TeardownFailures) {
    let failures = failures
    if !failures.isEmpty { throw TeardownFailures(pondName: pondName, records: failures) }
  }
}

extension RunCancellation {
  /// This reason, or `nil` if the program itself requested the end of the run.
  package var unasked: RunCancellation? {
    switch self {
    case .requested, .shutdown: nil
    case .failure, .deadlinePassed, .serviceEnded, .signal, .backgroundTimeExpired, .journalBroken:
      self
    }
  }
}

/// The record of the teardown of one pebble. Times are offsets from the start of the teardown of
/// the run.
public struct TeardownRecord: Sendable {
  /// The name of the pebble.
  public let pebble: String

  /// An unavailable name for ``pebble``. The compiler suggests ``pebble`` instead.
  @available(*, unavailable, renamed: "pebble")
  public var name: String { pebble }

  /// The time at which the teardown began. If the teardown began after the deadline, it was called,
  /// but the shutdown did not wait for it. The time is `nil` for a body that had not ended, because
  /// there was nothing to tear down yet.
  public private(set) var started: Duration?

  /// The time at which the teardown ended or was abandoned. If the body itself had not ended, this
  /// is the deadline.
  public private(set) var finished: Duration

  /// The error of the teardown, or ``PebbleTimeout`` if the teardown or body had not ended by the
  /// deadline; `nil` if the teardown succeeded.
  public let error: (any Error)?

  /// The results of shutting down the runs inside the pebble, in the order in which they were shut
  /// down.
  public let nested: [ShutdownReport]

  private let goesOn: @Sendable () -> Bool

  fileprivate func later(by time: Duration) -> TeardownRecord {
    var later = self
    later.started = started.map { $0 + time }
    later.finished += time
    return later
  }

  /// Whether the teardown or body was abandoned and is still running when this property is read.
  public var isStillRunning: Bool { goesOn() }

  /// Creates the record of a body that cannot be torn down yet, because it has not ended.
  fileprivate init(_ storage: RunStorage, stillRunning pebble: Int, within limit: Duration) {
    self.pebble = storage.pond.graph.names[pebble]
    nested = []
    let isService = storage.pond.properties.pebbles[UInt32(pebble)]?.isService == true
    // The reference is weak because the storage keeps this record. A body that still runs keeps the
    // storage.
    goesOn = { [weak storage] in
      guard let storage else { return false }
      return switch storage.state.status(of: pebble) {
      case .running: true
      case .succeeded where isService: storage.notes(at: pebble)?.endOfLastCall == nil
      default: storage.isLeftBehind(pebble)
      }
    }
    started = nil
    finished = limit
    error = PebbleTimeout(pebble: self.pebble, limit: limit, .shutdown)
  }

  fileprivate init(
    pebble: String, _ record: PebbleRecord, _ nested: [ShutdownReport],
    serviceGoesOn: @escaping @Sendable () -> Bool
  ) {
    self.pebble = pebble
    self.nested = nested
    goesOn = { record.isStillRunning || serviceGoesOn() }
    started = record.started
    finished = record.finished
    let outcome = record.outcome
    if let timeout = outcome.error as? PebbleTimeout {
      error = PebbleTimeout(pebble: pebble, limit: timeout.limit, timeout.scope)
    } else {
      error = outcome.isSkipped ? CancellationError() : outcome.error
    }
  }
}

/// The error that ``ShutdownReport/check()`` throws if some pebbles could not be torn down.
public struct TeardownFailures: Error, Sendable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The records of the failures, in the order of ``ShutdownReport/records``. The array is never
  /// empty.
  public let records: [TeardownRecord]

  /// A heading, and a line for each of the first hundred failures. Long names and errors are
  /// truncated.
  public var description: String {
    let name = pondName.shortLiteral
    let heading = "some pebbles of the pond \(name) could not be torn down:"
    let lines = records.lines { record in
      let error = record.error.map { "\($0)".truncated(to: 500).singleLine } ?? ""
      return "  - \(record.pebble.shortName): \(error)"
    }
    return ([heading] + lines).joined(separator: "\n")
  }
}

extension TeardownRecord: CustomStringConvertible {
  /// The name of the pebble, followed by the error, or by the duration of the teardown if there is
  /// no error. Long names and errors are truncated.
  public var description: String {
    if let error {
      return "\(pebble.shortName): \("\(error)".truncated(to: 500).singleLine)"
    }
    return "\(pebble.shortName) torn down in \((finished - (started ?? finished)).brief)"
  }
}

extension ShutdownReport: CustomStringConvertible {
  /// A heading, and a line for each of the first two hundred pebbles. Long names and errors are
  /// truncated.
  public var description: String {
    let name = pondName.truncated(to: 60).singleLine
    let count = failures.isEmpty ? "" : "\(records.count - failures.count) of "
    let heading = "\(name): \(count)\(records.count) torn down in \(duration.brief)"
    let lines = records.lines(atMost: 200) { record in
      let remark = record.error.map { ": \("\($0)".truncated(to: 500).singleLine)" } ?? ""
      return "  \(record.pebble.shortName)\(remark)"
    }
    return ([heading] + lines).joined(separator: "\n")
  }
}
