extension RunStatus {
  /// A pebble, what it is at, and what led there. Encoded with the fields `name` and `state` and,
  /// as far as they are known, `ready`, `started` and `finished` (in nanoseconds since the start of
  /// the run), `cause` and `attempts`.
  public struct Pebble: Sendable, Hashable {
    /// The name of the pebble.
    public let name: String

    /// What it is at.
    public let state: State

    /// When it came where it is.
    public let times: Times

    /// The pebble whose settling let this one start, or decided that it would not; `nil` if there
    /// was none, and as long as this one has not settled.
    public let cause: String?

    /// The calls of its body that have ended, first to last; none of a pebble that may be called
    /// only once.
    public let attempts: [Attempt]

    package init(
      name: String, state: State, times: Times = Times(), cause: String? = nil,
      attempts: [Attempt] = []
    ) {
      self.name = name
      self.state = state
      self.times = times
      self.cause = cause
      self.attempts = attempts
    }
  }

  /// When a pebble came where it is, each time as an offset from the start of the run and `nil` if
  /// it has not happened.
  public struct Times: Sendable, Hashable {
    /// When its condition became true.
    public let ready: Duration?

    /// When its body was first called.
    public let started: Duration?

    /// When it settled.
    public let finished: Duration?

    package init(ready: Duration? = nil, started: Duration? = nil, finished: Duration? = nil) {
      self.ready = ready
      self.started = started
      self.finished = finished
    }
  }

  /// A call of a body that has ended. Encoded with the fields `started` and `finished`, in
  /// nanoseconds since the start of the run, and `error`, if there was one.
  public struct Attempt: Sendable, Hashable {
    /// When the body was called.
    public let started: Duration

    /// When it ended, or was given up.
    public let finished: Duration

    /// What it failed with; `nil` if it succeeded.
    public let error: RecordedError?
  }
}

extension RunStatus.Attempt {
  init(_ attempt: PebbleAttempt) {
    self.init(
      started: attempt.started, finished: attempt.finished,
      error: attempt.error.map(RecordedError.init(recording:)))
  }
}

extension RunStatus.Pebble: Codable {
  private enum Field: String, CodingKey {
    case name, state, ready, started, finished, cause, attempts
  }

  /// Encodes the pebble.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(state, forKey: .state)
    try fields.encodeIfPresent(times.ready?.wholeNanoseconds, forKey: .ready)
    try fields.encodeIfPresent(times.started?.wholeNanoseconds, forKey: .started)
    try fields.encodeIfPresent(times.finished?.wholeNanoseconds, forKey: .finished)
    try fields.encodeIfPresent(cause, forKey: .cause)
    if !attempts.isEmpty { try fields.encode(attempts, forKey: .attempts) }
  }

  /// Decodes a pebble.
  ///
  /// - Throws: `DecodingError` if it is none, or in a state that is not known here.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    func time(_ field: Field) throws -> Duration? {
      try fields.decodeIfPresent(Int64.self, forKey: field).map(Duration.init(wholeNanoseconds:))
    }
    self.init(
      name: try fields.decode(String.self, forKey: .name),
      state: try fields.decode(RunStatus.State.self, forKey: .state),
      times: RunStatus.Times(
        ready: try time(.ready), started: try time(.started), finished: try time(.finished)),
      cause: try fields.decodeIfPresent(String.self, forKey: .cause),
      attempts: try fields.decodeIfPresent([RunStatus.Attempt].self, forKey: .attempts) ?? [])
  }
}

extension RunStatus.Attempt: Codable {
  private enum Field: String, CodingKey {
    case started, finished, error
  }

  /// Encodes the attempt.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(started.wholeNanoseconds, forKey: .started)
    try fields.encode(finished.wholeNanoseconds, forKey: .finished)
    try fields.encodeIfPresent(error, forKey: .error)
  }

  /// Decodes an attempt.
  ///
  /// - Throws: `DecodingError` if it is none.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self.init(
      started: Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .started)),
      finished: Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .finished)),
      error: try fields.decodeIfPresent(RecordedError.self, forKey: .error))
  }
}
