import Foundation
import PebblesTestSupport

/// The real `pond`, and programs that are to work with it.
extension TemporaryFolder {
  /// Runs a program, which finds no summary of a step to append to unless it is given one.
  func run(
    _ program: URL, _ arguments: [String], input: String? = nil,
    output: ProgramRun.OutputTarget = .file, environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try ProgramRun(
      of: program, arguments, input: input, output: output,
      environment: ["GITHUB_STEP_SUMMARY": ""].merging(environment) { _, given in given })
  }

  func pond(
    _ arguments: [String], input: String? = nil, output: ProgramRun.OutputTarget = .file,
    environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try run(
      ProgramRun.executable("pond"), arguments, input: input, output: output,
      environment: environment)
  }
}
