import Pebbles
import PebblesAnalysis

extension RecordedRun {
  private static let mostProblems = 100

  /// A collapsible list of the problems of the run, in HTML; empty if there are none.
  var problemsRemark: String {
    // A recording that contradicts itself is shown as it is.
    guard let problems = try? problems, !problems.isEmpty else { return "" }
    let shown = problems.prefix(Self.mostProblems)
    let rest = problems.count - shown.count
    let lines = shown.map(\.singleLine) + (rest > 0 ? ["… and \(rest) more"] : [])
    return "<details id=\"problems\"><summary>Not as it should be: \(problems.count)</summary><ul>"
      + lines.map { "<li>\($0.inMarkup)</li>" }.joined() + "</ul></details>\n"
  }

  /// A remark in HTML on whether the run reached its goal; empty if it has no goal, or was asked to
  /// end before it reached the goal.
  var goalRemark: String {
    goalSentence.map { "<p id=\"goal\">\($0.inMarkup)</p>\n" } ?? ""
  }
}

extension PondModel {
  /// The warning about the ends of the pond, in HTML; empty if there is none.
  var endsRemark: String { endsWarning.map { "<p>\($0.inMarkup)</p>\n" } ?? "" }
}
