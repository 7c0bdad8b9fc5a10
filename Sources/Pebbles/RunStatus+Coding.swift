/// The encoded form has one field for each property, with a stable name.
///
/// `phase` is the name of the phase. `running` is a list of objects with the fields `name` and
/// `since`. `pebbles` is a list of objects with the fields of an encoded `RunStatus.Pebble`.
/// `settled` and `total` are numbers. `elapsed` and `since` are in nanoseconds since the start of
/// the run.
extension RunStatus: Codable {
  private enum Field: String, CodingKey {
    case phase, running, pebbles, settled, total, elapsed
  }

  /// Encodes the status.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(phase, forKey: .phase)
    try fields.encode(running, forKey: .running)
    try fields.encode(pebbles, forKey: .pebbles)
    try fields.encode(settled, forKey: .settled)
    try fields.encode(total, forKey: .total)
    try fields.encode(elapsed.wholeNanoseconds, forKey: .elapsed)
  }

  /// Creates a status by decoding it.
  ///
  /// - Throws: `DecodingError` if the data is not a status, or has an unknown phase or state.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self.init(
      phase: try fields.decode(Phase.self, forKey: .phase),
      running: try fields.decode([RunningPebble].self, forKey: .running),
      pebbles: try fields.decode([Pebble].self, forKey: .pebbles),
      settled: try fields.decode(Int.self, forKey: .settled),
      total: try fields.decode(Int.self, forKey: .total),
      elapsed: Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .elapsed)))
  }
}

/// The encoded form is the name of the phase.
extension RunStatus.Phase: Codable {
  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Creates a phase by decoding its name.
  ///
  /// - Throws: `DecodingError` if no known phase has this name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let word = try container.decode(String.self)
    guard let phase = Self(rawValue: word) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "there is no phase \(word.shortLiteral)")
    }
    self = phase
  }
}

/// The encoded form has the field `name`, and the field `since` in nanoseconds since the start of
/// the run.
extension RunStatus.RunningPebble: Codable {
  private enum Field: String, CodingKey {
    case name, since
  }

  /// Encodes the name and the start time.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(since.wholeNanoseconds, forKey: .since)
  }

  /// Creates a running pebble by decoding its name and its start time.
  ///
  /// - Throws: `DecodingError` if the data is not a running pebble.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self.init(
      name: try fields.decode(String.self, forKey: .name),
      since: Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .since)))
  }
}

/// The encoded form has the string field `kind`. Depending on the kind, it also has some of the
/// fields `waitingFor`, `limits`, `since`, `attempt`, `error`, `cases`, `skipReason`, `skipKind`
/// and `kept`. The time in `since` is in nanoseconds since the start of the run.
extension RunStatus.State: Codable {
  private enum Field: String, CodingKey {
    case kind, waitingFor, limits, since, attempt, error, cases, skipReason, skipKind, kept
  }

  /// Encodes the state.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(kind.rawValue, forKey: .kind)
    if !cases.isEmpty { try fields.encode(cases, forKey: .cases) }
    switch detail {
    case .waiting(let pebbles): try fields.encode(pebbles, forKey: .waitingFor)
    case .ready(let limits): try fields.encode(limits, forKey: .limits)
    case .running(let since, let attempt):
      try fields.encode(since.wholeNanoseconds, forKey: .since)
      try fields.encode(attempt, forKey: .attempt)
    case .succeeded(let isKept): if isKept { try fields.encode(true, forKey: .kept) }
    case .failed(let error): try fields.encode(error, forKey: .error)
    case .skipped(let reason, let kind):
      try fields.encode(reason, forKey: .skipReason)
      try fields.encodeIfPresent(kind?.rawValue, forKey: .skipKind)
    }
  }

  /// Creates a state by decoding it.
  ///
  /// - Throws: `DecodingError` if the data is not a state, or its kind is unknown.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let cases = try fields.decodeIfPresent([PebbleCase].self, forKey: .cases) ?? []
    let word = try fields.decode(String.self, forKey: .kind)
    switch Kind(rawValue: word) {
    case .waiting:
      self.init(.waiting(for: try fields.decode([String].self, forKey: .waitingFor)))
    case .ready:
      self.init(.ready(behind: try fields.decode([RunStatus.Limit].self, forKey: .limits)))
    case .running:
      let since = Duration(wholeNanoseconds: try fields.decode(Int64.self, forKey: .since))
      self.init(.running(since: since, attempt: try fields.decode(Int.self, forKey: .attempt)))
    case .succeeded:
      let isKept = try fields.decodeIfPresent(Bool.self, forKey: .kept) ?? false
      self.init(.succeeded(isKept: isKept), cases: cases)
    case .failed:
      self.init(
        .failed(try fields.decode(RecordedError.self, forKey: .error)), cases: cases)
    case .skipped:
      let word = try fields.decodeIfPresent(String.self, forKey: .skipKind)
      self.init(
        .skipped(
          try fields.decode(SkipReason.self, forKey: .skipReason),
          word.flatMap(SkipKind.init(rawValue:))))
    case nil:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: fields,
        debugDescription: "no pebble is \(word.shortLiteral)")
    }
  }
}

/// The encoded form has the string field `kind` and, if the limit has a name, the string field
/// `name`.
extension RunStatus.Limit: Codable {
  private enum Field: String, CodingKey {
    case kind, name
  }

  /// Encodes the limit.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(kind.rawValue, forKey: .kind)
    try fields.encodeIfPresent(name, forKey: .name)
  }

  /// Creates a limit by decoding it.
  ///
  /// - Throws: `DecodingError` if the data is not a limit, or its kind is unknown.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let word = try fields.decode(String.self, forKey: .kind)
    guard let kind = Kind(rawValue: word) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: fields,
        debugDescription: "there is no limit of the kind \(word.shortLiteral)")
    }
    self.init(kind, try fields.decodeIfPresent(String.self, forKey: .name))
  }
}
