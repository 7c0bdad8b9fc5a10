import Pebbles
import PebblesAnalysis

/// An inspector page: a fixed template with a run inserted into it.
struct InspectorPage {
  enum Content {
    case ended(RecordedRun, earlier: RecordedRun?)
    case live(LiveRun)
  }

  let content: Content
  let links: [PageLink]

  var text: String {
    var bytes: [UInt8] = []
    // Only the template has placeholders. Nothing is replaced in the inserted values: a name may be
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
    case "title": bytes += title.inMarkup.utf8
    case "remarks": bytes += remarks.utf8
    case "links": bytes += site.utf8
    case "style": bytes += PageText.style.utf8
    case "script": bytes += PageText.script.utf8
    case "styleHash": bytes += PageText.styleHash.utf8
    case "scriptHash": bytes += PageText.scriptHash.utf8
    case "connections": bytes += connections.utf8
    case "data": fillData(in: &bytes)
    default: preconditionFailure("the template has a place for \(place), which is not known")
    }
  }

  private var title: String {
    let (name, span) =
      switch content {
      case .ended(let run, _): (run.model.name, run.makespan.brief)
      case .live(let run): (run.model.name, "\(run.status.phase)")
      }
    return "\(name.singleLine.truncated(to: 200)) · \(span)"
  }

  /// The remarks in the header of the page, in addition to the verdict.
  private var remarks: String {
    switch content {
    case .ended(let run, _): run.goalRemark + run.problemsRemark + run.model.endsRemark
    case .live(let run): run.model.endsRemark
    }
  }

  /// The `connect-src` directive of the content security policy. For a run under way, it allows
  /// connections to the page's server. For an ended run, it is empty, and no connections are
  /// allowed.
  private var connections: String {
    switch content {
    case .ended: ""
    case .live: " connect-src 'self';"
    }
  }

  /// The navigation links to the site's pages.
  private var site: String {
    guard !links.isEmpty else { return "" }
    let items = links.map { link in
      let current = link.isCurrent ? " aria-current=\"page\"" : ""
      let address = link.address.map { " href=\"\($0.inMarkup)\"" } ?? ""
      return "<a\(address)\(current)>\(link.title.singleLine.inMarkup)</a>"
    }
    return "<nav id=\"site\" aria-label=\"Site\">\(items.joined(separator: " "))</nav>\n"
  }

  private func fillData(in bytes: inout [UInt8]) {
    switch content {
    case .ended(let run, let earlier):
      Self.appendElement("run", run.jsonBytes(), to: &bytes)
      // A run that was not recorded may be impossible. The page then uses the deciding pebbles
      // instead of the awaited pebbles.
      if let waits = try? run.lastWaits() {
        Self.appendElement("waits", waits.jsonBytes, to: &bytes)
      }
      if let earlier { Self.appendElement("earlier-run", earlier.jsonBytes(), to: &bytes) }
    case .live(let run):
      Self.appendElement("live", run.jsonBytes, to: &bytes)
    }
  }

  private static func appendElement(_ id: String, _ document: [UInt8], to bytes: inout [UInt8]) {
    bytes += "<script type=\"application/json\" id=\"\(id)\">".utf8
    bytes.append(escapedForScript: document)
    bytes += "</script>\n".utf8
  }
}

extension LastWaits: JSONWritable {
  /// Writes an object with three members. For each pebble, `awaited` contains the position of the
  /// last pebble that it waited for, and `kinds` contains a letter for the kind of this wait.
  /// `last` is the position of the pebble whose body ended last. A position of −1 means that there
  /// is no such pebble.
  package func write(to writer: inout JSONWriter) {
    let letters = kinds.map { kind in
      switch kind {
      case .limit: "l"
      case .mainActor: "m"
      case .stall: "s"
      case .dependency, .start: "d"
      }
    }
    writer.object { writer in
      writer.member("awaited", awaited)
      writer.member("kinds", letters.joined())
      writer.member("last", last ?? -1)
    }
  }
}
