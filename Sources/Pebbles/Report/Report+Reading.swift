/// What is asked of a report in a word: `if report.isAllSucceeded { … }`,
/// `#expect(report.ran(refresh))`.
///
/// Of a pebble that the run did not have, none of ``ran(_:)``, ``succeeded(_:)``, ``failed(_:)``
/// and ``skipped(_:)`` is true: see ``PebbleIdentifying``.
extension Report {
  /// Whether every pebble ran and succeeded.
  ///
  /// Stricter than ``check()``, which only objects to failures that were not handled.
  ///
  /// - Complexity: O(pebbles).
  public var isAllSucceeded: Bool {
    let state = storage.state
    return (0..<state.network.pebbleCount).allSatisfy { state.status(of: $0) == .succeeded }
  }

  /// The pebbles that failed, in definition order, whether or not that was handled.
  ///
  /// Those of which it was not are ``unhandledFailures``.
  ///
  /// - Complexity: O(pebbles).
  public var failures: [PebbleRecord] {
    let state = storage.state
    return records.filter { state.status(of: $0.position) == .failed }
  }

  /// The pebbles that were to run and could not, in definition order: something that they needed,
  /// perhaps through others, failed or stalled. What other skipped pebbles were says
  /// ``PebbleRecord/skipKind``.
  ///
  /// ```swift
  /// for record in report.blocked { print(record.explanation) }
  /// ```
  ///
  /// - Complexity: O(pebbles); the first call for a run that had skips, O(pebbles + atoms).
  public var blocked: [PebbleRecord] { records.filter(\.isBlocked) }

  /// What the pebble produced, or the reason why there is nothing.
  ///
  /// ```swift
  /// let launches = try report.value(of: launches)
  /// ```
  ///
  /// Where the reason does not matter, ``subscript(_:)`` gives an optional.
  ///
  /// - Throws: What the pebble failed with, if it failed; ``MissingValueError`` if it was skipped;
  ///   ``UnknownPebbleError`` if the run had no such pebble.
  /// - Complexity: O(1); if it was skipped, O(atoms of its condition).
  public func value<Output>(of pebble: Pebble<Output>) throws -> Output {
    guard let record = record(of: pebble) else { throw storage.pond.graph.error(for: pebble) }
    switch record.outcome {
    case .succeeded:
      if let value = self[pebble] { return value }
      if let missing = storage.values.missingOutput(of: record.position) {
        throw MissingValueError(
          pebble: record.name, skipReason: nil,
          description: "\(record.name.swiftName) \(missing.clause)")
      }
      throw MissingValueError(
        pebble: record.name, skipReason: nil,
        description: "\(record.name.swiftName) succeeded without a value: no body was called in "
          + "this run, which is a simulation")
    case .failed(let error):
      throw error
    case .skipped(let reason):
      throw MissingValueError(
        pebble: record.name, skipReason: reason, description: record.explanation)
    }
  }

  /// Whether the pebble ran to an end in this run, well or badly; one that was kept did not.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func ran(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble).map { $0.outcome.isCompleted && $0.keptFrom == nil } ?? false
  }

  /// Whether the pebble succeeded.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func succeeded(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSucceeded ?? false
  }

  /// Whether the pebble failed.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func failed(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isFailed ?? false
  }

  /// Whether the pebble was skipped.
  ///
  /// - Complexity: O(1); for a pebble given by name, O(pebbles).
  public func skipped(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSkipped ?? false
  }

  /// Whether the pebble was to run, and could not for a failure or a stall.
  ///
  /// - Complexity: That of ``PebbleRecord/skipKind``; for a pebble given by name, O(pebbles) more.
  public func isBlocked(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.isBlocked ?? false
  }
}

/// A pebble has no value although it did not fail. See ``Report/value(of:)``.
public struct MissingValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// Why the pebble was skipped; `nil` if it succeeded, in a simulation, which calls no bodies, or
  /// in a process that has died and could not keep the value.
  public let skipReason: SkipReason?

  /// Why there is no value, as a sentence that names the pebbles behind it.
  public let description: String
}
