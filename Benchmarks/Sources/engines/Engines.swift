import Foundation
import Pebbles
import PebblesAnalysis

/// A program that compares the two engines of the analysis on the same ponds: the solver that lint
/// uses, and the decision diagrams that scenarios use. The result is printed as a Markdown table.
@main
enum Engines {
  static func main() throws {
    print("| pond | pebbles | lint | undecided | all scenarios | do not fit | endings |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for shape in BootShape.allCases {
      for size in shape.sizes { try printRow(for: shape, of: size) }
    }
  }

  private static func printRow(for shape: BootShape, of size: Int) throws {
    let model = try shape.pond(of: size).model()
    let (findings, lint) = timed { model.lint() }
    let isDecided = findings.of(.notDecided).isEmpty
    let (scenarios, building) = timed { model.scenarios() }
    let (endings, counting) = timed { scenarios.count }
    let cells = [
      shape.rawValue, "\(model.count)", text(lint), isDecided ? "none" : "some",
      text(building + counting), "\(scenarios.unknown.count)",
      endings.map { $0 == .max ? "2¹²⁸ or more" : "\($0)" } ?? "unknown",
    ]
    print("| \(cells.joined(separator: " | ")) |")
  }

  /// Returns the result of a closure and the CPU time that it used. Unlike wall-clock time, CPU
  /// time does not depend on the machine's load.
  private static func timed<Result>(_ work: () -> Result) -> (Result, Double) {
    let start = clock()
    let result = work()
    return (result, Double(clock() - start) * 1_000 / Double(CLOCKS_PER_SEC))
  }

  /// Returns a time as a string, such as `0.4 ms`, `120 ms` or `23 s`.
  private static func text(_ milliseconds: Double) -> String {
    if milliseconds < 10 { return "\((milliseconds * 10).rounded() / 10) ms" }
    if milliseconds < 10_000 { return "\(Int(milliseconds.rounded())) ms" }
    return "\(Int((milliseconds / 1_000).rounded())) s"
  }
}
