/// The limits that a JSON document must not exceed. A document that exceeds a limit is rejected
/// with a ``JSONError``.
///
/// The limits bound the memory needed to read an untrusted document. For example, each value takes
/// 24 bytes in addition to its bytes in the document.
///
/// The parser rejects a document as soon as a limit is exceeded, for example by a list that is
/// nested too deeply. The number of pebbles, the depth of clusters and the size of conditions are
/// checked later, when models and runs are created.
public struct JSONLimits: Sendable, Hashable {
  /// The maximum length of the document, in bytes.
  public var bytes = 64 << 20

  /// The maximum nesting depth of lists and objects, which is also the maximum nesting depth of
  /// clusters.
  public var depth = 64

  /// The maximum total number of values and keys. It is also the maximum total number of operators,
  /// atoms and constants in all conditions, where a small shared part counts once for each use. For
  /// conditions, the maximum is never more than 2²⁷, even if this limit is higher.
  public var values = 8_000_000

  /// The maximum length of a string in bytes, measured between the quotes, before escapes are
  /// replaced.
  public var stringBytes = 1 << 20

  /// The maximum number of pebbles, including the pebbles of nested runs.
  public var pebbles = 1_000_000

  /// Creates the default limits, which are safe for documents from any source.
  public init() {}

  /// Limits that no document exceeds, for documents from a trusted source.
  public static var none: JSONLimits {
    var limits = JSONLimits()
    limits.bytes = .max
    limits.depth = .max
    limits.values = .max
    limits.stringBytes = .max
    limits.pebbles = .max
    return limits
  }
}

/// The messages for documents that exceed a limit.
extension JSONLimits {
  var problemWithBytes: String { "the document is longer than \(bytes) bytes" }
  var problemWithDepth: String { "lists and objects are nested more than \(depth) deep" }
  var problemWithValues: String { "there are more than \(values) values and keys" }
  var problemWithString: String {
    "the string that starts here is longer than \(stringBytes) bytes"
  }
  var problemWithPebbles: String { "there are more than \(pebbles) pebbles" }
}
