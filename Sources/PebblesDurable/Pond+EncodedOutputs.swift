import Pebbles

/// What leaves the process, and whether it can.
extension Pond {
  /// What a run is given, as bytes, and which cases hold of it: for whoever lets a ``Scheduler``
  /// decide what is ready and calls bodies in other processes.
  ///
  /// - Parameters:
  ///   - values: What it is given.
  ///   - targets: What the run is of, and all that this needs; if `nil`, everything.
  ///   - coder: Turns outputs into bytes.
  /// - Returns: For each pebble that is given, by name, its output, as an attempt that has
  ///   succeeded would have had it; defaults among them. `nil` bytes for `Void`, and for what is
  ///   not `Encodable` and nobody reads.
  /// - Throws: `PondError` if the pond is defined wrongly, if what the run is of is no pebble of
  ///   it, or if the run is not given each value that it needs, once; ``AttemptError`` for a value
  ///   that somebody reads and that is not `Encodable`; and what the coder throws.
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

  /// The outputs that cannot leave the process although a body, or a teardown, reads them: of each
  /// such pebble the error that its attempts would fail with.
  ///
  /// Who calls bodies elsewhere asks before anything has started. What is read only by bodies of
  /// this process, or by nobody, may be of any type.
  ///
  /// - Returns: An error for each such pebble, in definition order; none if all is well.
  /// - Complexity: O(pebbles + inputs).
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
