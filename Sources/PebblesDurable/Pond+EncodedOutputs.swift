import Pebbles

/// Support for outputs that leave the process.
extension Pond {
  /// Encodes the values that are given to a run, and determines which cases of the given pebbles
  /// hold. Use this method when a ``Scheduler`` decides which pebbles are ready, and bodies are
  /// called in other processes.
  ///
  /// - Parameters:
  ///   - values: The values that are given to the run.
  ///   - targets: The pebbles to run, along with everything they need; `nil` for all.
  ///   - coder: The coder that converts outputs to bytes.
  /// - Returns: The outputs of the given pebbles, keyed by name, each in the form of a successful
  ///   attempt. Defaults are included. The bytes are `nil` for an output that is `Void`, and for an
  ///   output that is not `Encodable` and that no other pebble reads.
  /// - Throws: `PondError` if the pond is defined incorrectly, if it lacks one of the targets, or
  ///   if a pebble that needs a value is not given exactly one value; ``AttemptError`` if a value
  ///   is read but is not `Encodable`; or an error thrown by the coder.
  /// - Complexity: O(pebbles + atoms).
  public func encoded(
    given values: [GivenValue], only targets: [any PebbleIdentifying]? = nil,
    coder: some OutputCoder
  ) throws -> [String: AttemptResult] {
    let program = program()
    let outputs = try program.outputs(given: values, only: targets)
    let read = Set(program.pond.pebblesWithReaders)
    var results: [String: AttemptResult] = [:]
    for (pebble, output) in outputs {
      let name = program.pond.graph.names[pebble]
      let bytes = try output.encoded(by: coder)
      if bytes == nil, read.contains(pebble), !output.isVoid {
        throw AttemptError(name, AttemptError.notEncodable(output.typeName))
      }
      results[name] = .succeeded(bytes, cases: program.cases(of: pebble, output: output))
    }
    return results
  }

  /// Returns an error for each output that a body or a teardown reads, but that cannot be passed to
  /// another process. If the output is not `Encodable`, an attempt of its pebble would fail. If the
  /// output is `Encodable` but not `Decodable`, the bodies and the teardown that read the output
  /// would fail.
  ///
  /// If bodies are called in other processes, call this method before anything has started. An
  /// output can have any type if only bodies in this process read it, or if nothing reads it.
  ///
  /// - Returns: The errors, at most one per pebble, in definition order; empty if there is no such
  ///   output.
  /// - Complexity: O(pebbles + atoms), plus the time to sort the pebbles whose outputs are read.
  public func undeliverableOutputs() -> [AttemptError] {
    let program = program()
    return program.pond.pebblesWithReaders.compactMap { pebble in
      guard let output = program.outputType(of: pebble) else { return nil }
      let clause: String? =
        if !(output is any Encodable.Type) {
          AttemptError.notEncodable("\(output)")
        } else if !(output is any Decodable.Type) {
          "has an output that cannot be read in another process: \(output) is not Decodable"
        } else {
          nil
        }
      return clause.map { AttemptError(program.pond.graph.names[pebble], $0) }
    }
  }
}
