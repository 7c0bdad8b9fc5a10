/// How much of a JSON document is read before it is refused with a ``JSONError``.
///
/// A document that is not trusted should cost little. Each limit stands for memory: the values, for
/// one, take 24 bytes each beyond those of the document.
///
/// The parser refuses a document as soon as it comes to what is beyond a limit, such as a list that
/// is too deep. Pebbles and clusters are counted later, when models and runs are made of it.
public struct JSONLimits: Sendable, Hashable {
  /// How long the document may be, in bytes.
  public var bytes = 64 << 20

  /// How many lists and objects may stand one inside the other, and how many clusters.
  public var depth = 64

  /// How many values and keys there may be, all together.
  public var values = 8_000_000

  /// How long a string may be, in bytes, as it is written.
  public var stringBytes = 1 << 20

  /// How many pebbles there may be, those of nested runs included.
  public var pebbles = 1_000_000

  /// The limits for documents from anywhere; each can be changed.
  public init() {}

  /// No limit but those of memory, for documents of one's own.
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

/// What is wrong with documents of which there is too much.
extension JSONLimits {
  var problemWithBytes: String { "the document is longer than \(bytes) bytes" }
  var problemWithDepth: String { "lists and objects stand more than \(depth) deep in each other" }
  var problemWithValues: String { "there are more than \(values) values and keys" }
  var problemWithString: String {
    "the string that starts here is longer than \(stringBytes) bytes"
  }
  var problemWithPebbles: String { "there are more than \(pebbles) pebbles" }
}
