import Pebbles

/// What a run did otherwise than a test expected, and why it did so.
///
/// A test that throws this fails, with Swift Testing and with XCTest, and both print it.
public struct ExpectationFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was expected and what happened; then, indented, why. Never empty.
  public let lines: [String]

  /// Where it was expected, as `Module/File.swift`.
  public let fileID: String

  /// Where it was expected.
  public let line: Int

  /// All lines, and where the expectation is.
  public var description: String {
    lines.joined(separator: "\n") + "\n  expected at \(fileID):\(line)"
  }
}

extension Report {
  /// Where the pebble stands that is meant.
  ///
  /// - Throws: ``UnknownPebble`` if there is none.
  func position(of pebble: some PebbleIdentifying) throws(UnknownPebble) -> Int {
    var positions = PebblePositions(storage.pond.graph)
    return try positions.position(of: pebble)
  }

  /// The pebbles that led to how a pebble ended: what decided its condition, what decided that one's
  /// and so on, the pebble itself first.
  func chain(to pebble: Int) -> [Int] {
    var chain = [pebble]
    // Each settled before the one it decided, so this ends.
    while let last = chain.last, let cause = storage.state.cause(of: last) { chain.append(cause) }
    return chain
  }

  /// Why a pebble ended as it did: a line for each pebble that led to it, each further indented.
  func reasons(for pebble: Int) -> [String] {
    let chain = chain(to: pebble)
    var lines = chain.prefix(Self.mostReasons).enumerated().map { depth, pebble in
      String(repeating: "  ", count: depth + 1) + records[pebble].explanation
    }
    let rest = chain.count - lines.count
    if rest > 0 { lines.append("  … and \(rest) pebbles before that") }
    return lines
  }

  private static var mostReasons: Int { 20 }
}

extension Outcome {
  /// What happened, to stand after the name of the pebble.
  var past: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped: "was skipped"
    }
  }
}
