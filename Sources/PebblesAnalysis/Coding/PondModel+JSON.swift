import Pebbles

extension PondModel {
  /// The model as a JSON document in UTF-8, in the format described in <doc:JSONFormat>.
  ///
  /// The same model always gives the same bytes.
  ///
  /// - Complexity: O(pebbles + atoms); what conditions share is written once.
  public func jsonBytes() -> [UInt8] {
    PondModelWriter(self).jsonBytes
  }

  /// The model as JSON text, as ``jsonBytes()``.
  public func json() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

  /// Reads a model from a JSON document.
  ///
  /// What is read is a model like any other, but of no pond: its pebbles have no handles.
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
    self = try PondModelReader.model(JSONDocument(bytes, limits: limits).root)
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

/// Models are encoded as what ``PondModel/json()`` writes, key by key, and decoded with the same
/// checks, within the limits of ``JSONLimits/init()``. For JSON itself, ``PondModel/json()`` and
/// ``PondModel/init(json:limits:)`` take a fraction of the time, and tell the line of a mistake.
extension PondModel: Codable {
  /// Encodes the model.
  ///
  /// - Complexity: O(pebbles + atoms).
  public func encode(to encoder: any Encoder) throws {
    try PondModelWriter(self).jsonDocument.root.encode(to: encoder)
  }

  /// Decodes a model.
  ///
  /// - Throws: `DecodingError` if it is none, or says something that cannot be meant.
  /// - Complexity: O(pebbles + atoms).
  public init(from decoder: any Decoder) throws {
    self = try JSONDocument.decoded(from: decoder, PondModelReader.model)
  }
}
