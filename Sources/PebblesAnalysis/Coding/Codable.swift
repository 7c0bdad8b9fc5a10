/// Models are encoded as what ``PondModel/json()`` writes, key by key, and decoded with the same
/// checks, within the limits of ``JSONLimits/init()``. For JSON itself, ``PondModel/json()`` and
/// ``PondModel/init(json:limits:)`` take a fraction of the time, and tell the line of a mistake.
extension PondModel: Codable {
  /// Encodes the model.
  ///
  /// - Complexity: O(pebbles + atoms).
  public func encode(to encoder: any Encoder) throws {
    try JSONDocument(jsonBytes(), limits: .none).root.encode(to: encoder)
  }

  /// Decodes a model.
  ///
  /// - Throws: `DecodingError` if it is none, or says something that cannot be meant.
  /// - Complexity: O(pebbles + atoms).
  public init(from decoder: any Decoder) throws {
    self = try JSONTree.document(from: decoder) { value throws(JSONError) in
      var reader = PondModelReader(allowance: JSONLimits().pebbles)
      return try reader.read(value)
    }
  }
}

/// Runs are encoded as what ``RecordedRun/json()`` writes, key by key, and decoded with the same
/// checks, within the limits of ``JSONLimits/init()``.
extension RecordedRun: Codable {
  /// Encodes the run.
  ///
  /// - Complexity: O(pebbles + atoms + attempts).
  public func encode(to encoder: any Encoder) throws {
    try JSONDocument(jsonBytes(), limits: .none).root.encode(to: encoder)
  }

  /// Decodes a run.
  ///
  /// - Throws: `DecodingError` if it is none, or says something that cannot have happened.
  /// - Complexity: O(pebbles + atoms + attempts).
  public init(from decoder: any Decoder) throws {
    self = try JSONTree.document(from: decoder) { value throws(JSONError) in
      var reader = RecordedRunReader(allowance: JSONLimits().pebbles)
      return try reader.read(value)
    }
  }
}
