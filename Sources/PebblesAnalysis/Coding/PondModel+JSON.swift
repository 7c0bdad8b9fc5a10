import Pebbles

extension PondModel {
  /// Returns the model as a JSON document in UTF-8, in the format described in <doc:JSONFormat>.
  ///
  /// The same model always produces the same bytes.
  ///
  /// - Complexity: O(pebbles + atoms). Parts shared by several conditions are written only once.
  public func jsonBytes() -> [UInt8] {
    PondModelWriter(self).jsonBytes
  }

  /// Returns the model as a JSON string, with the same contents as ``jsonBytes()``.
  public func json() -> String { String(decoding: jsonBytes(), as: UTF8.self) }

  /// Creates a model from a JSON document.
  ///
  /// The model does not belong to a pond, so its pebbles have no handles.
  ///
  /// - Parameters:
  ///   - bytes: The document, in UTF-8.
  ///   - limits: The limits that the document must not exceed.
  /// - Throws: ``JSONError`` if the document is not JSON, exceeds a limit, is not in this format,
  ///   has an unknown version, has unknown or repeated keys, or describes a model that cannot
  ///   exist.
  /// - Complexity: O(bytes).
  public init(
    json bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    self = try PondModelReader.model(JSONDocument(bytes, limits: limits).root)
  }

  /// Creates a model from a JSON string.
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

/// Support for encoding models in any format, with the same keys and values as in
/// ``PondModel/json()``. Decoding performs the same checks as ``PondModel/init(json:limits:)``,
/// with the default limits.
///
/// If the format is JSON, prefer ``PondModel/json()`` and ``PondModel/init(json:limits:)``. They
/// are several times faster, and their errors include the line number of the mistake.
extension PondModel: Codable {
  /// Encodes the model.
  ///
  /// - Complexity: O(pebbles + atoms).
  public func encode(to encoder: any Encoder) throws {
    try PondModelWriter(self).jsonDocument.root.encode(to: encoder)
  }

  /// Creates a model by decoding it from the given decoder.
  ///
  /// - Throws: `DecodingError` if the value is not a model, or describes a model that cannot exist.
  /// - Complexity: O(pebbles + atoms).
  public init(from decoder: any Decoder) throws {
    self = try JSONDocument.decoded(from: decoder, PondModelReader.model)
  }
}
