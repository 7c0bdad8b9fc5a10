import Pebbles
import PebblesAnalysis

extension RecordedRun {
  private static let mostProblems = 100

  /// A collapsible list of the problems of the run; empty if there are none.
  var problemsRemark: String {
    // A recording that contradicts itself is shown as it is.
    guard let problems = try? problems, !problems.isEmpty else { return "" }
    let shown = problems.prefix(Self.mostProblems)
    let rest = problems.count - shown.count
    let lines = shown.map(\.singleLine) + (rest > 0 ? ["… and \(rest) more"] : [])
    return "<details id=\"problems\"><summary>Not as it should be: \(problems.count)</summary><ul>"
      + lines.map { "<li>\($0.inMarkup)</li>" }.joined() + "</ul></details>\n"
  }

  /// A remark on whether the run reached its goal; empty if it has no goal.
  var goalRemark: String {
    goalSentence.map { "<p id=\"goal\">\($0.inMarkup)</p>\n" } ?? ""
  }
}

extension PondModel {
  /// A remark on the ends of the pond; empty if there is none.
  var endsRemark: String { endsWarning.map { "<p>\($0.inMarkup)</p>\n" } ?? "" }
}
