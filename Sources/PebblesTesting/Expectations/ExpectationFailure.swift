/// A difference between a run and a test's expectation, with an explanation.
///
/// A test that throws this error fails. Swift Testing and XCTest both print it.
public struct ExpectationFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The lines of the explanation; at least one. They state the expectation and what happened
  /// instead, and then the reasons.
  package let lines: [String]

  /// The file that contains the expectation, as `Module/File.swift`.
  public let fileID: String

  /// The line of the expectation.
  public let line: Int

  /// The explanation, followed by the file name and line number of the expectation.
  public var description: String {
    let indented = lines.prefix(1) + lines.dropFirst().map { "  \($0)" }
    return indented.joined(separator: "\n") + "\n  expected at \(fileID):\(line)"
  }
}
