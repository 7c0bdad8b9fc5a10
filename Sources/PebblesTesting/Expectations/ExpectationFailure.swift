/// What a run did otherwise than a test expected, and why it did so.
///
/// A test that throws this fails, with Swift Testing and with XCTest, and both print it.
public struct ExpectationFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected and what happened; then why. Never empty.
  public let lines: [String]

  /// Where it was expected, as `Module/File.swift`.
  public let fileID: String

  /// Where it was expected.
  public let line: Int

  /// All lines, and where the expectation is.
  public var description: String {
    let indented = lines.prefix(1) + lines.dropFirst().map { "  \($0)" }
    return indented.joined(separator: "\n") + "\n  expected at \(fileID):\(line)"
  }
}
