import Pebbles

extension RecordedRun {
  /// The run as a JSON document in UTF-8, in the format described in <doc:JSONFormat>: what
  /// happened, and the logic of the pond.
  ///
  /// The same run always gives the same bytes.
  ///
  /// - Complexity: O(pebbles + atoms + attempts), nested runs included.
  public func jsonBytes() -> [UInt8] {
    RecordedRunWriter(self).jsonBytes
  }

  /// The run as JSON text, as ``jsonBytes()``.
  public func json() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

  /// Reads a run from a JSON document.
  ///
  /// - Parameters:
  ///   - bytes: The document, in UTF-8.
  ///   - limits: How much of it is read before it is refused.
  /// - Throws: ``JSONError`` if that is no JSON, none of this format or of a version that is not
  ///   known here, if it has unknown or repeated keys, or says something that cannot have happened.
  /// - Complexity: O(bytes).
  public init(
    json bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    self = try RecordedRunReader.run(JSONDocument(bytes, limits: limits).root)
  }

  /// Reads a run from JSON text.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - limits: How much of it is read before it is refused.
  /// - Throws: ``JSONError``, as for bytes.
  /// - Complexity: O(bytes).
  public init(json text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    try self.init(json: text.utf8, limits: limits)
  }
}

/// Runs are encoded as what ``RecordedRun/json()`` writes, key by key, and decoded with the same
/// checks, within the limits of ``JSONLimits/init()``.
extension RecordedRun: Codable {
  /// Encodes the run.
  ///
  /// - Complexity: O(pebbles + atoms + attempts).
  public func encode(to encoder: any Encoder) throws {
    try RecordedRunWriter(self).jsonDocument.root.encode(to: encoder)
  }

  /// Decodes a run.
  ///
  /// - Throws: `DecodingError` if it is none, or says something that cannot have happened.
  /// - Complexity: O(pebbles + atoms + attempts).
  public init(from decoder: any Decoder) throws {
    self = try JSONDocument.decoded(from: decoder, RecordedRunReader.run)
  }
}
