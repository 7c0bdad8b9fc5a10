import Foundation
import PebblesTestSupport

/// A namespace for running programs that tests use if they are installed.
enum Program {
  struct Failure: Error {
    let message: String
  }

  static func path(of name: String) -> String? { ProgramRun.path(of: name) }

  /// Runs a program.
  ///
  /// - Returns: The text that the program wrote to its standard output.
  /// - Throws: ``Failure`` with the text on its standard error if its exit status is not 0.
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
