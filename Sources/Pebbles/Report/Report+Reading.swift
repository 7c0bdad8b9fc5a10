/// Properties and methods for brief checks, such as `if report.isAllSucceeded { … }` or
/// `#expect(report.ran(refresh))`.
///
/// For a pebble that is not in the run, ``ran(_:)``, ``succeeded(_:)``, ``failed(_:)`` and
/// ``skipped(_:)`` all return `false`; see ``PebbleIdentifying``.
extension Report {
  /// Whether every pebble succeeded. A success that was kept from an earlier run counts as well.
  ///
  /// Unlike ``check()``, this property accepts neither skipped pebbles nor handled failures.
  ///
  /// - Complexity: O(pebbles).
  public var isAllSucceeded: Bool {
    let state = storage.state
    return (0..<state.network.pebbleCount).allSatisfy { state.status(of: $0) == .succeeded }
  }

  /// The pebbles that failed, in definition order, whether or not their failures were handled.
  ///
  /// ``unhandledFailures`` leaves out the pebbles whose failures were handled.
  ///
  /// - Complexity: O(pebbles).
  public var failures: [PebbleRecord] {
    let state = storage.state
    return records.filter { state.status(of: $0.position) == .failed }
  }

  /// The pebbles that were meant to run but could not, in definition order; see
  /// ``SkipKind/blocked`` for the possible causes. Other skips have a different
  /// ``PebbleRecord/skipKind``.
  ///
  /// ```swift
  /// for record in report.blocked { print(record.explanation) }
  /// ```
  ///
  /// - Complexity: O(pebbles), or O(pebbles + atoms) for the first call on a run with skips.
  public var blocked: [PebbleRecord] { records.filter(\.isBlocked) }

  /// Returns the output of the pebble, or throws an error that explains why the pebble has no
  /// output.
  ///
  /// ```swift
  /// let launches = try report.value(of: launches)
  /// ```
  ///
  /// If the reason does not matter, use ``subscript(_:)``, which returns an optional.
  ///
  /// - Throws: The error of the pebble, if it failed; ``MissingValueError`` if it was skipped, or
  ///   succeeded without a value; ``UnknownPebbleError`` if the run had no such pebble.
  /// - Complexity: O(1), or the same as for ``PebbleRecord/explanation`` for a skipped pebble.
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

  /// Returns whether the pebble ran to completion in this run, successfully or not.
  ///
  /// A pebble whose success was kept from an earlier run does not count as having run, but a pebble
  /// whose output was given to this run does.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  public func ran(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble).map { $0.outcome.isCompleted && $0.keptFrom == nil } ?? false
  }

  /// Returns whether the pebble succeeded.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  public func succeeded(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSucceeded ?? false
  }

  /// Returns whether the pebble failed.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  public func failed(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isFailed ?? false
  }

  /// Returns whether the pebble was skipped.
  ///
  /// - Complexity: O(1), or O(pebbles) for a pebble given by name.
  public func skipped(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.outcome.isSkipped ?? false
  }

  /// Returns whether the pebble was meant to run but could not, because of a failure or a stall.
  ///
  /// - Complexity: The same as for ``PebbleRecord/skipKind``, plus O(pebbles) for a pebble given by
  ///   name.
  public func isBlocked(_ pebble: some PebbleIdentifying) -> Bool {
    record(of: pebble)?.isBlocked ?? false
  }
}

/// The error that ``Report/value(of:)`` throws for a pebble that did not fail but has no value.
public struct MissingValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// The reason why the pebble was skipped; `nil` if the pebble succeeded without a value.
  ///
  /// In a simulation, pebbles succeed without a value, because no body is called. A value may also
  /// have been lost with an earlier process.
  public let skipReason: SkipReason?

  /// A sentence that explains why there is no value, and names the pebbles responsible.
  public let description: String
}
