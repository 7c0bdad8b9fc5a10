/// The encoding of events. The fields are named after the properties, and their names never
/// change:
///
/// | field | value |
/// |---|---|
/// | `time` | nanoseconds since the start of the run |
/// | `kind` | the word for the kind, such as `settled` |
/// | `pebble`, `cause` | the name of a pebble |
/// | `attempt` | the number of the call to the body, starting at 1 |
/// | `outcome` | `succeeded`, `failed` or `skipped` |
/// | `cases` | the cases that hold, encoded as ``PebbleCase``; only if there are any |
/// | `error` | the text of the error, at most 2,000 characters |
/// | `skipReason` | the reason why the pebble was skipped, encoded as ``SkipReason`` |
/// | `pebbles` | the names of the pebbles in a stall |
/// | `isCancelled` | whether the run that ended was cancelled |
/// | `hasFailed` | whether the run that ended had failed; `false` if missing |
/// | `reason` | the reason for a shutdown, encoded as ``RunCancellation`` |
/// | `droppedCount` | the number of dropped events |
///
/// A field is present only if the kind of event has it. Errors are encoded as strings, and decoded
/// as ``RecordedError``.
extension RunEvent: Codable {
  fileprivate enum Field: String, CodingKey {
    case time, kind, pebble, attempt, error, outcome, cases, skipReason, cause, pebbles, isCancelled
    case hasFailed, reason, droppedCount
  }

  /// Encodes the event.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(time.wholeNanoseconds, forKey: .time)
    try fields.encode(kind.rawValue, forKey: .kind)
    try fields.encodeIfPresent(pebble, forKey: .pebble)
    try fields.encodeIfPresent(attempt, forKey: .attempt)
    try fields.encodeIfPresent(error.map(RecordedError.init(recording:)), forKey: .error)
    switch happening {
    case .settled(_, let outcome, let cases, let cause):
      try fields.encode(outcome.word, forKey: .outcome)
      if !cases.isEmpty { try fields.encode(cases, forKey: .cases) }
      try fields.encodeIfPresent(outcome.skipReason, forKey: .skipReason)
      try fields.encodeIfPresent(cause, forKey: .cause)
    case .stalled(let pebbles): try fields.encode(pebbles, forKey: .pebbles)
    case .runEnded(let isCancelled, let hasFailed):
      try fields.encode(isCancelled, forKey: .isCancelled)
      try fields.encode(hasFailed, forKey: .hasFailed)
    case .shutdownBegan(let reason): try fields.encodeIfPresent(reason, forKey: .reason)
    case .dropped(let count): try fields.encode(count, forKey: .droppedCount)
    case .ready, .attemptStarted, .attemptFailed, .serviceEnded, .serviceRestarted, .stopRequested,
      .teardownStarted, .teardownEnded, .shutdownEnded:
      break
    }
  }

  /// Decodes an event.
  ///
  /// - Throws: `DecodingError` if the data is not an event, or if the kind of the event is unknown.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self.init(
      time: Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .time)),
      try Happening(fields))
  }
}

extension RunEvent.Happening {
  fileprivate init(_ fields: KeyedDecodingContainer<RunEvent.Field>) throws {
    func pebble() throws -> String { try fields.decode(String.self, forKey: .pebble) }
    func attempt() throws -> Int { try fields.decode(Int.self, forKey: .attempt) }
    func error() throws -> (any Error)? {
      try fields.decodeIfPresent(RecordedError.self, forKey: .error)
    }
    let word = try fields.decode(String.self, forKey: .kind)
    switch RunEvent.Kind(rawValue: word) {
    case .ready: self = .ready(try pebble())
    case .attemptStarted:
      self = .attemptStarted(try pebble(), attempt: try attempt())
    case .attemptFailed:
      self = .attemptFailed(
        try pebble(), attempt: try attempt(),
        try fields.decode(RecordedError.self, forKey: .error))
    case .settled:
      self = .settled(
        try pebble(), try Outcome(fields),
        cases: try fields.decodeIfPresent([PebbleCase].self, forKey: .cases) ?? [],
        cause: try fields.decodeIfPresent(String.self, forKey: .cause))
    case .serviceEnded: self = .serviceEnded(try pebble(), try error())
    case .stalled:
      self = .stalled(try fields.decode([String].self, forKey: .pebbles))
    case .runEnded:
      self = .runEnded(
        isCancelled: try fields.decode(Bool.self, forKey: .isCancelled),
        hasFailed: try fields.decodeIfPresent(Bool.self, forKey: .hasFailed) ?? false)
    case .serviceRestarted:
      self = .serviceRestarted(try pebble(), attempt: try attempt(), try error())
    case .shutdownBegan:
      self = .shutdownBegan(try fields.decodeIfPresent(RunCancellation.self, forKey: .reason))
    case .stopRequested: self = .stopRequested(try pebble())
    case .teardownStarted: self = .teardownStarted(try pebble())
    case .teardownEnded: self = .teardownEnded(try pebble(), try error())
    case .shutdownEnded: self = .shutdownEnded
    case .dropped:
      self = .dropped(try fields.decode(Int.self, forKey: .droppedCount))
    case nil:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: fields,
        debugDescription: "there is no event of the kind \(word.shortLiteral)")
    }
  }
}

extension Outcome {
  fileprivate var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "skipped"
    }
  }

  fileprivate init(_ fields: KeyedDecodingContainer<RunEvent.Field>) throws {
    let word = try fields.decode(String.self, forKey: .outcome)
    switch word {
    case "succeeded": self = .succeeded
    case "failed": self = .failed(try fields.decode(RecordedError.self, forKey: .error))
    case "skipped": self = .skipped(try fields.decode(SkipReason.self, forKey: .skipReason))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .outcome, in: fields,
        debugDescription: "no pebble ends as \(word.shortLiteral)")
    }
  }
}

extension Duration {
  /// The time in whole nanoseconds, clamped to the range of a 64-bit integer.
  var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  init(wholeNanoseconds: Int64) {
    self = Duration(attoseconds: Int128(wholeNanoseconds) * 1_000_000_000)
  }
}
