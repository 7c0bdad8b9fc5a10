import Pebbles

extension RecordedRun {
  /// Returns the run as a JSON document in UTF-8, in the format described in <doc:JSONFormat>. The
  /// document contains the record of the run and the logic of the pond.
  ///
  /// The same run always produces the same bytes.
  ///
  /// - Complexity: O(pebbles + atoms + attempts) including nested runs, plus the complexity of
  ///   ``isGoalReached`` if the pond has a goal.
  public func jsonBytes() -> [UInt8] {
    RecordedRunWriter(self).jsonBytes
  }

  /// Returns the run as a JSON string, with the same contents as ``jsonBytes()``.
  public func json() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

  /// Creates a run from a JSON document.
  ///
  /// - Parameters:
  ///   - bytes: The document, in UTF-8.
  ///   - limits: The limits that the document must not exceed.
  /// - Throws: ``JSONError`` if the document is not JSON, exceeds a limit, is not in this format,
  ///   has an unknown version, has unknown or repeated keys, or contradicts itself; see
  ///   ``init(model:pebbles:makespan:cancellation:shutdown:)``.
  /// - Complexity: O(bytes).
  public init(
    json bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    self = try RecordedRunReader.run(JSONDocument(bytes, limits: limits).root)
  }

  /// Creates a run from a JSON string.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - limits: The limits that the document must not exceed.
  /// - Throws: ``JSONError`` under the same conditions as the initializer that takes bytes.
  /// - Complexity: O(bytes).
  public init(json text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    try self.init(json: text.utf8, limits: limits)
  }
}

/// Support for encoding runs in any format, with the same keys and values as in
/// ``RecordedRun/json()``. Decoding performs the same checks as ``RecordedRun/init(json:limits:)``,
/// with the default limits.
extension RecordedRun: Codable {
  /// Encodes the run.
  ///
  /// - Complexity: The same as for ``jsonBytes()``.
  public func encode(to encoder: any Encoder) throws {
    try RecordedRunWriter(self).jsonDocument.root.encode(to: encoder)
  }

  /// Creates a run by decoding it from the given decoder.
  ///
  /// - Throws: `DecodingError` if the value is not a run, or contradicts itself.
  /// - Complexity: O(pebbles + atoms + attempts).
  public init(from decoder: any Decoder) throws {
    self = try JSONDocument.decoded(from: decoder, RecordedRunReader.run)
  }
}
