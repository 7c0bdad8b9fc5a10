import Pebbles

extension PondModel {
  /// The model as a JSON document in UTF-8, in the format described in <doc:JSONFormat>.
  ///
  /// The same model always gives the same bytes. Of predicates only what they read is written.
  ///
  /// - Complexity: O(pebbles + atoms); what conditions share is written once.
  public func jsonBytes() -> [UInt8] {
    var writer = JSONWriter()
    PondModelWriter(self).write(to: &writer)
    return writer.bytes
  }

  /// The model as JSON text, as ``jsonBytes()``.
  public func json() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

  /// Reads a model from a JSON document.
  ///
  /// What is read is a model like any other, but nobody's: its pebbles have no handles, and
  /// predicates never hold by themselves.
  ///
  /// - Parameters:
  ///   - bytes: The document, in UTF-8.
  ///   - limits: How much of it is read before it is refused.
  /// - Throws: ``JSONError`` if that is no JSON, none of this format or of a version that is not
  ///   known here, if it has unknown or repeated keys, or says something that cannot be meant.
  /// - Complexity: O(bytes).
  public init(
    json bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    let document = try JSONDocument(bytes.prefix(within: limits), limits: limits)
    var reader = PondModelReader(allowance: limits.pebbles)
    self = try reader.read(document.root)
  }

  /// Reads a model from JSON text.
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

extension Sequence<UInt8> {
  /// As many bytes as it takes to see whether there are too many.
  func prefix(within limits: JSONLimits) -> [UInt8] {
    let most = limits.bytes == .max ? .max : Swift.max(0, limits.bytes) + 1
    // One by one takes longer than reading does.
    let copied = withContiguousStorageIfAvailable { Array($0.prefix(most)) }
    return copied ?? Array(prefix(most))
  }
}
