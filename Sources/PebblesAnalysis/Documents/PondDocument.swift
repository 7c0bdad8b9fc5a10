import Pebbles

/// A pond or a run of one that was read from a file, whatever kind of file it is.
///
/// ```swift
/// let document = try PondDocument(bytes)
/// print(document.model.lint())
/// if let run = document.run { print(try run.criticalPath()) }
/// ```
public struct PondDocument: Sendable {
  /// What kinds of files there are. More may come with later versions.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// What it is called.
    public let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// A model, as ``PondModel/json()`` writes it.
    public static let model = Kind("model")

    /// A run, as ``RecordedRun/json()`` writes it.
    public static let run = Kind("run")

    /// An HTML page that holds a run in an element `<script type="application/json">`.
    public static let page = Kind("page")

    /// The journal of a run, as a run with a `Journal` of `PebblesDurable` writes it.
    public static let journal = Kind("journal")

    /// A pond as people write it by hand, in names and conditions; see <doc:JSONFormat>.
    public static let sketch = Kind("sketch")

    /// What it is called.
    public var description: String { name }
  }

  /// What kind of file it was.
  public let kind: Kind

  /// The logic of the pond.
  public let model: PondModel

  /// The run, if the file holds one.
  public let run: RecordedRun?

  /// The laws that a sketch says its pond keeps.
  public let laws: [Law]
}

extension PondDocument {
  /// What a file would hold that a model was written to.
  package init(_ model: PondModel) { self.init(kind: .model, model: model, run: nil, laws: []) }

  /// What a journal holds.
  package init(journal run: RecordedRun) {
    self.init(kind: .journal, model: run.model, run: run, laws: [])
  }

  /// Reads a file, and finds out by what is in it which kind it is. Not a journal, which
  /// `PebblesDurable` reads.
  ///
  /// - Parameters:
  ///   - bytes: What is in the file, in UTF-8.
  ///   - limits: How much of it is read before it is refused.
  /// - Throws: ``JSONError`` if it is none of the kinds there are, or cannot be read as the kind it
  ///   is.
  /// - Complexity: O(bytes).
  public init(
    _ bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    let bytes = bytes.prefix(within: limits)
    guard let start = bytes.firstIndex(where: { !$0.isBlank }) else {
      throw JSONError("there is nothing in it", at: 0, in: bytes)
    }
    if bytes[start] == UInt8(ascii: "<") {
      let run = try EmbeddedRun.find(in: bytes, limits: limits)
      self.init(kind: .page, model: run.model, run: run, laws: [])
    } else if bytes[start] == UInt8(ascii: "{") || bytes.count > limits.bytes {
      try self.init(JSONDocument(bytes, limits: limits).root)
    } else {
      throw JSONError(
        "this is neither a run, a model, a page nor a journal: there should be a { or a < here",
        at: start, in: bytes)
    }
  }

  private init(_ root: JSONValue) throws(JSONError) {
    guard let format = root["format"] else {
      guard root["pebbles"] != nil else {
        throw root.fault(
          "this is neither a pond nor a run: there should be an object with \"format\", or one "
            + "with \"pebbles\", here")
      }
      let sketch = try PondSketch(root)
      self.init(kind: .sketch, model: sketch.model, run: nil, laws: sketch.laws)
      return
    }
    switch try format.string() {
    case RecordedRunReader.format:
      let run = try RecordedRunReader.run(root)
      self.init(kind: .run, model: run.model, run: run, laws: [])
    case PondModelReader.format:
      self.init(kind: .model, model: try PondModelReader.model(root), run: nil, laws: [])
    default:
      throw format.fault(
        "the format should be \"\(PondModelReader.format)\" or \"\(RecordedRunReader.format)\"")
    }
  }
}

extension UInt8 {
  /// Whether it stands between things without meaning anything, in JSON and in HTML.
  fileprivate var isBlank: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
