import Pebbles

extension RecordedRun {
  /// The run as a JSON document in UTF-8, in the format described in <doc:JSONFormat>: what
  /// happened, and the logic of the pond.
  ///
  /// The same run always gives the same bytes.
  ///
  /// - Complexity: O(pebbles + atoms + attempts), nested runs included.
  public func jsonBytes() -> [UInt8] {
    var writer = JSONWriter()
    RecordedRunWriter(self).write(to: &writer)
    return writer.bytes
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
    let document = try JSONDocument(bytes.prefix(within: limits), limits: limits)
    var reader = RecordedRunReader(allowance: limits.pebbles)
    self = try reader.read(document.root)
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
