import Foundation
import PebblesTestSupport

/// Programs that tests use if they are there.
enum Program {
  struct Failure: Error {
    let message: String
  }

  static func path(of name: String) -> String? { ProgramRun.path(of: name) }

  /// - Returns: What the program wrote to its standard output.
  /// - Throws: ``Failure`` with what it wrote to its standard error if its status is not 0.
  static func run(_ path: String, _ arguments: [String], input: String = "") throws -> String {
    let folder = try TemporaryFolder()
    let run = try ProgramRun(
      of: URL(filePath: path), arguments, input: folder.write(input, to: "in"))
    guard run.status == 0 else {
      throw Failure(message: "\(path) ended with \(run.status): \(run.error)")
    }
    return run.output
  }
}
