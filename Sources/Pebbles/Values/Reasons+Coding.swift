/// The encoded form of a skip reason.
///
/// The form has these fields:
///
/// - `kind`: One of `conditionFalse`, `stalled`, `cancelled`, `disabled`, `notAskedFor`,
///   `resourceHeld` and `notInRun`.
/// - `decidedBy`: The name of the pebble that made the condition false; only for
///   `conditionFalse`, and missing if the condition was false from the start.
/// - `waitingOn`: The names of the pebbles for which a stalled pebble was waiting; only for
///   `stalled`.
/// - `holder`: The name of the pebble that prevented the skipped pebble from starting; only for
///   `resourceHeld`.
extension SkipReason: Codable {
  private enum Field: String, CodingKey {
    case kind, decidedBy, waitingOn, holder
  }

  private enum Word: String, Codable {
    case conditionFalse, stalled, cancelled, disabled, notAskedFor, resourceHeld, notInRun
  }

  /// Encodes the reason.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    switch self {
    case .conditionFalse(let pebble):
      try fields.encode(Word.conditionFalse, forKey: .kind)
      try fields.encodeIfPresent(pebble, forKey: .decidedBy)
    case .stalled(let pebbles):
      try fields.encode(Word.stalled, forKey: .kind)
      try fields.encode(pebbles, forKey: .waitingOn)
    case .cancelled: try fields.encode(Word.cancelled, forKey: .kind)
    case .disabled: try fields.encode(Word.disabled, forKey: .kind)
    case .notAskedFor: try fields.encode(Word.notAskedFor, forKey: .kind)
    case .resourceHeld(let pebble):
      try fields.encode(Word.resourceHeld, forKey: .kind)
      try fields.encode(pebble, forKey: .holder)
    case .notInRun: try fields.encode(Word.notInRun, forKey: .kind)
    }
  }

  /// Creates a reason by decoding it.
  ///
  /// - Throws: `DecodingError` if the data is not a reason, or if its kind is unknown.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self =
      switch try fields.decode(Word.self, forKey: .kind) {
      case .conditionFalse:
        .conditionFalse(decidedBy: try fields.decodeIfPresent(String.self, forKey: .decidedBy))
      case .stalled: .stalled(waitingOn: try fields.decode([String].self, forKey: .waitingOn))
      case .cancelled: .cancelled
      case .disabled: .disabled
      case .notAskedFor: .notAskedFor
      case .resourceHeld: .resourceHeld(by: try fields.decode(String.self, forKey: .holder))
      case .notInRun: .notInRun
      }
  }
}

/// The encoded form of a cancellation reason.
///
/// The form has these fields:
///
/// - `kind`: One of `requested`, `failure`, `deadlinePassed`, `shutdown`, `serviceEnded`, `signal`,
///   `backgroundTimeExpired` and `journalBroken`.
/// - `pebble`: The name of the pebble that failed, or of the service that ended; only for `failure`
///   and `serviceEnded`.
/// - `signal`: The number of the signal; only for `signal`.
/// - `problem`: The problem with the journal; only for `journalBroken`.
extension RunCancellation: Codable {
  private enum Field: String, CodingKey {
    case kind, pebble, signal, problem
  }

  private enum Word: String, Codable {
    case requested, failure, deadlinePassed, shutdown, serviceEnded, signal, backgroundTimeExpired
    case journalBroken
  }

  /// Encodes the reason.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    switch self {
    case .requested: try fields.encode(Word.requested, forKey: .kind)
    case .failure(let pebble):
      try fields.encode(Word.failure, forKey: .kind)
      try fields.encode(pebble, forKey: .pebble)
    case .deadlinePassed: try fields.encode(Word.deadlinePassed, forKey: .kind)
    case .shutdown: try fields.encode(Word.shutdown, forKey: .kind)
    case .serviceEnded(let service):
      try fields.encode(Word.serviceEnded, forKey: .kind)
      try fields.encode(service, forKey: .pebble)
    case .signal(let signal):
      try fields.encode(Word.signal, forKey: .kind)
      try fields.encode(signal.rawValue, forKey: .signal)
    case .backgroundTimeExpired: try fields.encode(Word.backgroundTimeExpired, forKey: .kind)
    case .journalBroken(let problem):
      try fields.encode(Word.journalBroken, forKey: .kind)
      try fields.encode(problem, forKey: .problem)
    }
  }

  /// Creates a reason by decoding it.
  ///
  /// - Throws: `DecodingError` if the data is not a reason, or if its kind is unknown.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    self =
      switch try fields.decode(Word.self, forKey: .kind) {
      case .requested: .requested
      case .failure: .failure(of: try fields.decode(String.self, forKey: .pebble))
      case .deadlinePassed: .deadlinePassed
      case .shutdown: .shutdown
      case .serviceEnded: .serviceEnded(try fields.decode(String.self, forKey: .pebble))
      case .signal: .signal(Signal(rawValue: try fields.decode(Int32.self, forKey: .signal)))
      case .backgroundTimeExpired: .backgroundTimeExpired
      case .journalBroken: .journalBroken(try fields.decode(String.self, forKey: .problem))
      }
  }
}
