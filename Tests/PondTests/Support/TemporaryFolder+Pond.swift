import Foundation
import PebblesTestSupport

/// Methods for running `pond` itself, and programs that are used together with it.
extension TemporaryFolder {
  /// Runs a program. Unless `environment` says otherwise, the program finds no file for a GitHub
  /// step summary.
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
