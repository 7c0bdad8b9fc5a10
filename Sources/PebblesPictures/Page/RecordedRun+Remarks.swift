import Pebbles
import PebblesAnalysis

extension RecordedRun {
  private static let mostProblems = 100

  /// What the run did not end well for, if anything: a line that opens.
  var problemsRemark: String {
    // A record that contradicts itself is shown as it is.
    guard let problems = try? problems, !problems.isEmpty else { return "" }
    let shown = problems.prefix(Self.mostProblems)
    let rest = problems.count - shown.count
    let lines = shown.map(\.singleLine) + (rest > 0 ? ["… and \(rest) more"] : [])
    return "<details id=\"problems\"><summary>Not as it should be: \(problems.count)</summary><ul>"
      + lines.map { "<li>\($0.inMarkup)</li>" }.joined() + "</ul></details>\n"
  }

  /// Whether the run did what it is for; nothing for one that is for nothing.
  var goalRemark: String {
    goalSentence.map { "<p id=\"goal\">\($0.inMarkup)</p>\n" } ?? ""
  }
}

extension PondModel {
  /// What is wrong with the ends of the pond, if anything.
  var endsRemark: String { endsWarning.map { "<p>\($0.inMarkup)</p>\n" } ?? "" }
}
