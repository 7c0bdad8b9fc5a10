import PebblesAnalysis
import PebblesPictures

/// A kind of picture that can be drawn of a document.
struct Picture: Sendable {
  /// The name of the kind, and the extension of its files.
  let name: String

  /// A closure that draws a document. If `hasReasons` is `true`, a graph of a run shows the reasons
  /// for failures and skips.
  let draw: @Sendable (_ document: PondDocument, _ hasReasons: Bool) throws -> String

  static let all: [Picture] = [
    Picture(name: "dot") { try $0.run?.dot(reasons: $1) ?? $0.model.dot() },
    Picture(name: "mmd") { try $0.run?.mermaid(reasons: $1) ?? $0.model.mermaid() },
    Picture(name: "svg") { document, _ in try document.runToDraw("a timeline").timeline() },
    Picture(name: "html") { document, _ in try document.runToDraw("a page").page() },
    Picture(name: "trace.json") { document, _ in try document.runToDraw("a trace").trace() },
  ]

  static var names: [String] { all.map(\.name) }

  /// Returns the kind of picture that has the file's extension; `nil` if there is no such kind.
  static func forFile(_ path: String) -> Picture? {
    all.first { path.lowercased().hasSuffix(".\($0.name)") }
  }
}

extension PondDocument {
  fileprivate func runToDraw(_ picture: String) throws(Problem) -> RecordedRun {
    guard let run else {
      throw Problem(
        "\(picture) shows a run, but this is only the definition of a pond; "
          + "draw that as dot or mmd")
    }
    return run
  }
}

extension Request {
  /// Returns the document to draw. If `--only` is given, the result is the document's pond, limited
  /// to the pebbles that the option names and their dependencies.
  fileprivate func documentToDraw() throws(Problem) -> PondDocument {
    let document = try document()
    if arguments.values("--only").isEmpty { return document }
    if document.run != nil {
      throw Problem("--only draws a part of a pond, but this is a run; draw the pond itself")
    }
    return PondDocument(try model(of: document))
  }
}

extension Command {
  static let draw = Command(
    syntax: Syntax(
      name: "draw", summary: "a picture of a pond or of a run",
      operands: [.document],
      options: [
        Option(
          name: "--output", letter: "-o",
          value: Option.Value(placeholder: "PICTURE", kind: .newFile),
          summary: "the file to write, whose ending gives the kind; "
            + "without it, standard output"),
        Option(
          name: "--as", value: Option.Value(placeholder: "KIND", kind: .words(Picture.names)),
          summary:
            "the kind, instead of the ending of the file; \(Picture.all[0].name) without both"
        ),
        Option(
          name: "--reasons",
          summary: "show in a graph why pebbles failed or were skipped; other kinds always do"),
        .only,
      ],
      formats: [.text])
  ) { request in
    let path = request.arguments.value("--output")
    let kind = request.arguments.value("--as")
    guard
      let picture = kind.map({ name in Picture.all.first { $0.name == name } })
        ?? path.map(Picture.forFile) ?? Picture.all[0]
    else {
      let endings = Picture.names.map { ".\($0)" }.joined(separator: ", ")
      throw request.arguments.fault(
        "\(Arguments.shown(path ?? "")) ends with no kind of picture (\(endings)); give --as KIND")
    }
    if let path, path != "-",
      request.environment.isSameFile(path, request.arguments.operands[0])
    {
      throw Problem(
        "\(Arguments.shown(path)) is the document to draw; name another file")
    }
    let drawn = try picture.draw(request.documentToDraw(), request.arguments.has("--reasons"))
    return Answer(drawn, path: path)
  }
}
