extension RunStatus {
  /// A pebble with its state and its history.
  ///
  /// The encoded form has the fields `name` and `state` and, if known, `ready`, `started` and
  /// `finished` (in nanoseconds since the start of the run), `cause` and `attempts`.
  public struct Pebble: Sendable, Hashable {
    /// The name of the pebble.
    public let name: String

    /// The state of the pebble.
    public let state: State

    /// The times at which the pebble became ready, started and finished.
    public let times: Times

    /// The name of the pebble that caused this pebble to start or to be skipped; `nil` if there is
    /// no such pebble, or if this pebble has not settled.
    public let cause: String?

    /// The finished calls to the body, in order; empty for a kept pebble, and usually for a pebble
    /// without ``PebbleTrait/retry(_:)``.
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

  /// The times in the life of a pebble, as offsets from the start of the run. A time is `nil` if
  /// its event has not happened. All times of a kept or given pebble are zero.
  public struct Times: Sendable, Hashable {
    /// The time at which the condition of the pebble became true; `nil` for a skipped pebble.
    public let ready: Duration?

    /// The time at which the body was first called.
    public let started: Duration?

    /// The time at which the pebble settled.
    public let finished: Duration?

    package init(ready: Duration? = nil, started: Duration? = nil, finished: Duration? = nil) {
      self.ready = ready
      self.started = started
      self.finished = finished
    }
  }

  /// A finished call to a pebble's body.
  ///
  /// The encoded form has the fields `started` and `finished`, in nanoseconds since the start of
  /// the run, and `error` if the call failed.
  public struct Attempt: Sendable, Hashable {
    /// The time at which the body was called, as an offset from the start of the run.
    public let started: Duration

    /// The time at which the body ended or was abandoned, or at which the service became ready, as
    /// an offset from the start of the run.
    public let finished: Duration

    /// The error with which the call failed; `nil` if the call succeeded.
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

  /// Creates a pebble by decoding it.
  ///
  /// - Throws: `DecodingError` if the data is not a pebble, or its state is unknown.
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

  /// Creates an attempt by decoding it.
  ///
  /// - Throws: `DecodingError` if the data is not an attempt.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self.init(
      started: Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .started)),
      finished: Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .finished)),
      error: try fields.decodeIfPresent(RecordedError.self, forKey: .error))
  }
}
