import Pebbles
import PebblesAnalysis
import PebblesPictures

extension Command {
  static let lint = Command(
    syntax: Syntax(
      name: "lint", summary: "probable mistakes in a pond", operands: [.document],
      options: [
        Option(
          name: "--also",
          value: Option.Value(
            placeholder: "KIND", kind: .words(Finding.Kind.onRequest.map(\.rawValue))),
          summary: "also look for this kind, which is no mistake in most ponds", isRepeated: true),
        Option(
          name: "--ignore",
          value: Option.Value(
            placeholder: "KIND", kind: .words(Finding.Kind.allCases.map(\.rawValue))),
          summary: "leave out findings of a kind", isRepeated: true),
        Option(name: "--strict", summary: "count notes as findings, too"),
        .only,
      ],
      details: [
        "The exit status is 1 if there are warnings or errors, with --strict any findings."
      ],
      formats: Format.allCases)
  ) { request in
    let findings = try request.model(of: request.document()).lint(
      also: Finding.Kind.named(request.arguments.values("--also")),
      ignoring: Finding.Kind.named(request.arguments.values("--ignore")))
    let least = request.arguments.has("--strict") ? Finding.Severity.note : .warning
    var printout = Printout()
    printout.text(findings) { line in
      line.hasPrefix("error:") ? .bad : line.hasPrefix("warning:") ? .caution : .plain
    }
    return Answer(
      hasFindings: findings.contains { $0.severity >= least }, printout,
      annotations: findings.map(\.annotation)
    ) { .object(["pond": .text(findings.pondName), "findings": .list(findings.map(\.json))]) }
  }
}

extension Finding.Kind {
  fileprivate static func named(_ names: [String]) -> Set<Finding.Kind> {
    Set(names.compactMap(Self.init(rawValue:)))
  }
}

extension Finding {
  fileprivate var annotation: Annotation {
    let level: Annotation.Level =
      switch severity {
      case .note: .notice
      case .warning: .warning
      case .error: .error
      }
    return Annotation(level: level, title: kind.rawValue, message: "\(sentence)\n\(advice)")
  }

  fileprivate var json: JSON {
    .object([
      "kind": .text(kind.rawValue), "severity": .text(severity.rawValue),
      "pebbles": .texts(pebbles),
      "followers": .texts(followers), "sentence": .text(sentence), "advice": .text(advice),
      "failing": .optional(example?.failing, JSON.texts),
    ])
  }
}
