import Pebbles
import PebblesAnalysis

/// Fills the page's fixed text with a run.
struct InspectorPage {
  let run: RecordedRun
  let earlier: RecordedRun?

  var text: String {
    var bytes: [UInt8] = []
    // Only the template has places. In what fills them nothing is replaced: a name may well be
    // `{{run}}`.
    for (index, piece) in PageText.template.split(separator: "{{").enumerated() {
      guard index > 0, let end = piece.firstRange(of: "}}") else {
        bytes += piece.utf8
        continue
      }
      fill(piece[..<end.lowerBound], in: &bytes)
      bytes += piece[end.upperBound...].utf8
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func fill(_ place: Substring, in bytes: inout [UInt8]) {
    switch place {
    case "title":
      bytes +=
        "\(run.model.name.singleLine.truncated(to: 200)) · \(run.makespan.brief)".inMarkup.utf8
    case "remarks": bytes += (goal + problems + ends).utf8
    case "style": bytes += PageText.style.utf8
    case "script": bytes += PageText.script.utf8
    case "styleHash": bytes += PageText.styleHash.utf8
    case "scriptHash": bytes += PageText.scriptHash.utf8
    case "run": Self.append(run.jsonBytes(), to: &bytes)
    case "more": fillMore(in: &bytes)
    default: preconditionFailure("the template has a place for \(place), which is not known")
    }
  }

  /// What the run did not end well for, if anything: a line that opens.
  private var problems: String {
    // A record that contradicts itself is shown as it is.
    guard let problems = try? run.problems, !problems.isEmpty else { return "" }
    let shown = problems.prefix(Self.mostProblems)
    let rest = problems.count - shown.count
    let lines = shown.map(\.singleLine) + (rest > 0 ? ["… and \(rest) more"] : [])
    return "<details id=\"problems\"><summary>Not as it should be: \(problems.count)</summary><ul>"
      + lines.map { "<li>\($0.inMarkup)</li>" }.joined() + "</ul></details>\n"
  }

  private static let mostProblems = 100

  /// Whether the run did what it is for; nothing for one that is for nothing.
  private var goal: String {
    run.goalSentence.map { "<p id=\"goal\">\($0.inMarkup)</p>\n" } ?? ""
  }

  private var ends: String {
    run.model.endsWarning.map { "<p>\($0.inMarkup)</p>\n" } ?? ""
  }

  /// What not every page has.
  private func fillMore(in bytes: inout [UInt8]) {
    // A run that was put together by hand may be one that cannot have happened. Then the page does
    // with what decided what.
    if let waits = try? run.lastWaits() {
      Self.appendElement("waits", waits.jsonBytes, to: &bytes)
    }
    if let earlier { Self.appendElement("earlier-run", earlier.jsonBytes(), to: &bytes) }
  }

  private static func appendElement(_ id: String, _ document: [UInt8], to bytes: inout [UInt8]) {
    bytes += "<script type=\"application/json\" id=\"\(id)\">".utf8
    append(document, to: &bytes)
    bytes += "</script>\n".utf8
  }

  /// A document so that nothing in it ends the element that holds it. In JSON, `<` is found in
  /// strings alone.
  private static func append(_ document: [UInt8], to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + document.count + document.count / 64)
    for byte in document {
      if byte == UInt8(ascii: "<") {
        bytes += #"\u003c"#.utf8
      } else {
        bytes.append(byte)
      }
    }
  }
}

extension InspectorPage {
  private static let opening = Array(#"<script type="application/json" id="run">"#.utf8)

  /// The document of the run in a page.
  static func document<Bytes: Collection<UInt8>>(in page: Bytes) -> Bytes.SubSequence? {
    guard let start = page.firstRange(of: opening)?.upperBound else { return nil }
    let rest = page[start...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "<")) else { return nil }
    return rest[..<end]
  }
}

extension LastWaits {
  /// An object with the waits by position, and a letter for what each is.
  fileprivate var jsonBytes: [UInt8] {
    let letters = kinds.map { kind in
      switch kind {
      case .limit: "l"
      case .mainActor: "m"
      case .stall: "s"
      case .dependency, .start: "d"
      default: "d"
      }
    }
    let list = awaited.lazy.map(String.init).joined(separator: ",")
    let text = #"{"awaited":[\#(list)],"kinds":"\#(letters.joined())","last":\#(last ?? -1)}"#
    return Array(text.utf8)
  }
}
