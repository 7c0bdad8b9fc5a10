import Pebbles
import PebblesDurable

/// A pond whose bodies a worker calls.
struct HostedPond: Sendable {
  private let input: RunInput
  private let pond: Pond

  /// The current names of pebbles that were renamed while older runs are still under way, by their
  /// old names.
  private let newNames: [String: String]
  private let names: Set<String>

  /// The cases of the pebbles that have any.
  private let cases: [String: Set<PebbleCase>]

  /// Creates a hosted pond.
  ///
  /// - Throws: `PondError` if the pond has errors in its definition, ``TemporalError`` if it cannot
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

  /// Returns the input of a run that was started without one. Its given values are the defaults.
  ///
  /// - Parameters:
  ///   - coder: The coder that encodes the values.
  ///   - codec: The codec that transforms encoded values for the server.
  /// - Returns: The input.
  /// - Throws: `PondError` if a given value has no default; the errors of the coder and the codec.
  func input(_ coder: any OutputCoder, _ codec: any PayloadCodec) async throws -> RunInput {
    try await input.given(try pond.encoded(given: [], coder: coder), codec)
  }

  /// Returns whether the pond has a pebble that has this name, or had it before it was renamed.
  func has(_ pebble: String) -> Bool { names.contains(current(pebble)) }

  /// Calls a body for a run, which may use old names of pebbles.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - number: The number of the attempt.
  ///   - run: The run.
  ///   - inputs: The outcomes of the pebbles that the body reads, by name.
  ///   - asked: The cases of the pebble that the run knows.
  ///   - coder: The coder of outputs.
  /// - Returns: The result of the attempt.
  /// - Throws: ``MisfitError`` if the pond has no such pebble, if the body reads other pebbles than
  ///   the run says, or if the pebble lacks a case that the run knows. The body has not been called
  ///   then.
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
        .named(current(pebble)), number: number, of: run, inputs: inputs, coder: coder)
    } catch {
      throw MisfitError("\(error)")
    }
  }

  /// Calls a teardown with the output of its pebble.
  ///
  /// - Throws: ``MisfitError`` if the pond has no such pebble; the error of the teardown.
  func tearDown(
    _ pebble: String, of run: RunIdentifier, output: [UInt8]?, coder: any OutputCoder
  ) async throws {
    do {
      try await pond.tearDown(.named(current(pebble)), of: run, output: output, coder: coder)
    } catch let error as UnknownPebbleError {
      throw MisfitError("\(error)")
    }
  }

  private func current(_ name: String) -> String { newNames[name] ?? name }
}

/// The reason why a worker cannot make a call; another worker may be able to.
struct MisfitError: Error, Hashable, CustomStringConvertible {
  /// The reason, as a sentence.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
