import Pebbles

/// A pond, or a run of a pond, read from a file of any supported kind.
///
/// ```swift
/// let document = try PondDocument(bytes)
/// print(document.model.lint())
/// if let run = document.run { print(try run.criticalPath()) }
/// ```
public struct PondDocument: Sendable {
  /// A kind of file. Later versions may add kinds.
  @nonexhaustive public enum Kind: String, Sendable {
    /// A model, as written by ``PondModel/json()``.
    case model

    /// A run, as written by ``RecordedRun/json()``.
    case run

    /// An HTML page that contains a run in a `<script type="application/json">` element.
    case page

    /// The journal of a run, as written by `Journal` in `PebblesDurable`.
    case journal

    /// A handwritten pond, consisting of names and conditions; see <doc:JSONFormat>.
    case sketch
  }

  /// The kind of the file.
  public let kind: Kind

  /// The logic of the pond.
  public let model: PondModel

  /// The run that the file contains; `nil` if the file does not contain a run.
  public let run: RecordedRun?

  /// The laws that a sketch states for its pond; empty for other kinds of files.
  public let laws: [Law]
}

extension PondDocument {
  /// Creates a document for a model, as if the model had been read from a file.
  package init(_ model: PondModel) { self.init(kind: .model, model: model, run: nil, laws: []) }

  /// Creates a document for a run that was read from a journal.
  package init(journal run: RecordedRun) {
    self.init(kind: .journal, model: run.model, run: run, laws: [])
  }

  /// Creates a document from the content of a file. The content determines the kind of the file.
  ///
  /// This initializer does not read journals; `PebblesDurable` does.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file, in UTF-8.
  ///   - limits: The limits that the file must not exceed.
  /// - Throws: ``JSONError`` if the file is of an unknown kind, or is invalid.
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
  /// Whether the byte is white space.
  fileprivate var isBlank: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
