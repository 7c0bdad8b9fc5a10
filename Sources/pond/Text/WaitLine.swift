import Pebbles
import PebblesAnalysis

/// The text of the progress line that a terminal shows during a long-running command.
struct WaitLine {
  /// The name of the command; empty if it is unknown.
  let command: String

  private var name: String { command.isEmpty ? "pond" : "pond \(command.singleLine)" }

  /// Returns the line that shows the progress of the command:
  /// `pond endings: 7 s, 998 of 1005 pebbles followed, 412k steps; Ctrl-C stops it`.
  func text(after elapsed: Duration, _ progress: AnalysisProgress.State) -> String {
    let parts = ["\(name): \(Self.seconds(elapsed))", Self.stage(progress), Self.steps(progress)]
    return parts.compactMap(\.self).joined(separator: ", ") + "; Ctrl-C stops it"
  }

  /// Returns the line for a stopped command, with the progress that the command made.
  func stopped(after elapsed: Duration, _ progress: AnalysisProgress.State) -> String {
    let stage = Self.stage(progress).map { ", \($0)" } ?? ""
    return "\(name): stopped after \(Self.seconds(elapsed)) without an answer\(stage)"
  }

  private static func seconds(_ elapsed: Duration) -> String { "\(elapsed.components.seconds) s" }

  private static func stage(_ progress: AnalysisProgress.State) -> String? {
    progress.total > 0 ? "\(progress.done) of \(progress.total) \(progress.stage)" : nil
  }

  private static func steps(_ progress: AnalysisProgress.State) -> String? {
    let thousands = progress.steps / 1_000
    return thousands > 0 ? "\(thousands)k steps" : nil
  }
}
