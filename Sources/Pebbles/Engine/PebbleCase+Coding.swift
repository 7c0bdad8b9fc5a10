/// The encoding of a case as two fields. The field `kind` is `failed`, `succeeded`, `is` or
/// `timedOut`. The field `name` is missing if the kind is `timedOut`.
extension PebbleCase: Codable {
  private enum Field: String, CodingKey {
    case kind, name
  }

  /// The kind of the case, spelled as in Swift: `failed`, `succeeded`, `is`, `timedOut`.
  package var kindWord: String {
    switch self {
    case .failed: "failed"
    case .succeeded: "succeeded"
    case .is: "is"
    case .timedOut: "timedOut"
    }
  }

  /// Creates a case from its kind and name. Returns `nil` if the kind is unknown, or if the kind
  /// requires a name but `name` is `nil`.
  package init?(kind word: String, name: String?) {
    switch (word, name) {
    case ("failed", let name?): self = .failed(name)
    case ("succeeded", let name?): self = .succeeded(name)
    case ("is", let name?): self = .is(name)
    case ("timedOut", _): self = .timedOut
    default: return nil
    }
  }

  /// Encodes the case.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(kindWord, forKey: .kind)
    if self != .timedOut { try fields.encode(name, forKey: .name) }
  }

  /// Decodes a case.
  ///
  /// - Throws: `DecodingError` if the kind is unknown, a field is missing, or a field has the wrong
  ///   type.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let word = try fields.decode(String.self, forKey: .kind)
    let name = try fields.decodeIfPresent(String.self, forKey: .name)
    guard let decoded = PebbleCase(kind: word, name: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: fields,
        debugDescription: "no case is \(word.shortLiteral), or it has no name")
    }
    self = decoded
  }
}
