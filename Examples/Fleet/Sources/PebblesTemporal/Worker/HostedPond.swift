import Pebbles
import PebblesDurable

/// A pond whose bodies are called by a worker.
struct HostedPond: Sendable {
  private let input: RunInput
  private let pond: Pond

  /// The current names of pebbles that have been renamed, keyed by their old names. Runs that are
  /// still under way may use the old names.
  private let newNames: [String: String]
  private let names: Set<String>

  /// The cases of the pebbles that have cases, keyed by the name of the pebble.
  private let cases: [String: Set<PebbleCase>]

  /// Creates a hosted pond.
  ///
  /// - Throws: `PondError` if the pond has errors in its definition; ``TemporalError`` if it cannot
  ///   run on a server.
  init(_ pond: Pond, newNames: [String: String]) throws {
    self.pond = pond
    self.newNames = newNames
    input = try RunInput(
      try pond.model(), TemporalRunOptions(),
      faults: pond.undeliverableOutputs().map(\.description))
    let model = input.model
    names = Set(model.names)
    let cases = model.names.enumerated().map { ($1, Set(model.cases(at: $0))) }
    self.cases = Dictionary(cases.filter { !$1.isEmpty }) { first, _ in first }
  }

  /// Returns the input for a run that was started without input. The given values are the defaults
  /// of the pond.
  ///
  /// - Parameters:
  ///   - coder: The coder that encodes the values.
  ///   - codec: The codec that transforms encoded values for the server.
  /// - Returns: The input.
  /// - Throws: `PondError` if a given value has no default; ``TemporalError`` if the input is too
  ///   large for the server; any error thrown by the coder or the codec.
  func input(_ coder: any OutputCoder, _ codec: any PayloadCodec) async throws -> RunInput {
    let input = try await input.given(try pond.encoded(given: [], coder: coder), codec)
    // Checked here, before the run begins, so that the run can be cancelled if it is too large.
    _ = try await input.payloads(codec)
    return input
  }

  /// Returns whether a pebble of the pond has the given name, or had it before it was renamed.
  func has(_ pebble: String) -> Bool { names.contains(current(pebble)) }

  /// Calls a body on behalf of a run, which may use old names of pebbles.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - number: The number of the attempt.
  ///   - run: The run.
  ///   - inputs: The outcomes of the pebbles that the body reads, keyed by name.
  ///   - asked: The cases of the pebble in the graph of the run.
  ///   - coder: The coder of outputs.
  /// - Returns: The result of the attempt.
  /// - Throws: ``MisfitError`` if the pond has no such pebble, if the body does not read the same
  ///   pebbles as in the run's graph, or if the pebble lacks one of the cases in this graph. If an
  ///   error is thrown, the body has not been called.
  func attempt(
    _ pebble: String, number: Int, of run: RunIdentifier, inputs: [String: EncodedOutcome],
    asking asked: [PebbleCase] = [], coder: any OutputCoder
  ) async throws(MisfitError) -> AttemptResult {
    let known = cases[current(pebble)] ?? []
    if let missing = asked.first(where: { !known.contains($0) }) {
      throw MisfitError(
        "the pebble \"\(pebble)\" of this worker's pond has no case \("\(missing)".cut(to: 100))")
    }
    let inputs = Dictionary(inputs.map { (current($0.key), $0.value) }) { first, _ in first }
    do {
      return try await pond.attempt(
        identity(of: pebble), number: number, of: run, inputs: inputs, coder: coder)
    } catch {
      throw MisfitError("\(error)")
    }
  }

  /// Calls a teardown with the output of its pebble.
  ///
  /// - Throws: ``MisfitError`` if the pond has no such pebble; any error thrown by the teardown.
  func tearDown(
    _ pebble: String, of run: RunIdentifier, output: [UInt8]?, coder: any OutputCoder
  ) async throws {
    do {
      try await pond.tearDown(identity(of: pebble), of: run, output: output, coder: coder)
    } catch let error as UnknownPebbleError {
      throw MisfitError("\(error)")
    }
  }

  private func current(_ name: String) -> String { newNames[name] ?? name }

  /// Returns the identity of a pebble that the run knows by the given name. The idempotency key of
  /// the pebble contains the given name, even if this release uses a new name for the pebble.
  private func identity(of name: String) -> PebbleID { .named(current(name), originally: name) }
}

/// The error of a worker that cannot make a call. Another worker may be able to make it.
struct MisfitError: Error, Hashable, CustomStringConvertible {
  /// The reason, as a sentence.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
