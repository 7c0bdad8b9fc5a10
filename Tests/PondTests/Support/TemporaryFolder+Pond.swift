import Foundation
import PebblesTestSupport

/// Functions that run the real `pond`, and the programs that it works with.
extension TemporaryFolder {
  /// Runs a program. It has no summary of a GitHub step to append to, unless one is given.
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
