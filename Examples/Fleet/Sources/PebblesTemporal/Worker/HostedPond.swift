import Pebbles
import PebblesDurable

/// A pond whose bodies a worker calls.
struct HostedPond: Sendable {
  private let input: RunInput
  private let pond: Pond

  /// What pebbles are called now that had other names when runs were started that still go on.
  private let newNames: [String: String]
  private let names: Set<String>

  /// The cases of those that have any.
  private let cases: [String: Set<PebbleCase>]

  /// - Throws: `PondError` for a pond that is defined wrongly, ``TemporalError`` for one that
  ///   cannot be run on a server.
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

  /// What a run has for an input that was started without one: its given values are the defaults.
  ///
  /// - Parameters:
  ///   - coder: Turns values into bytes.
  ///   - codec: Turns these into what the server stores.
  /// - Returns: The input.
  /// - Throws: `PondError` if there is a value without a default; what coder and codec throw.
  func input(_ coder: any OutputCoder, _ codec: any PayloadCodec) async throws -> RunInput {
    try await input.given(try pond.encoded(given: [], coder: coder), codec)
  }

  /// Whether there is a pebble of that name, or of the one that it has now.
  func has(_ pebble: String) -> Bool { names.contains(current(pebble)) }

  /// Calls a body for a run that knows its pebbles by the names that they had when it was started.
  ///
  /// - Parameters:
  ///   - pebble: Its pebble.
  ///   - number: Which attempt this is.
  ///   - run: Which run it is for.
  ///   - inputs: How the pebbles have ended that it reads.
  ///   - asked: The cases of the pebble that the run knows.
  ///   - coder: Turns outputs into bytes and back.
  /// - Returns: What came of it.
  /// - Throws: ``MisfitError`` if the pond has no such pebble, the pebble reads others than the run
  ///   says, or does not have the cases that the run knows, whose closures are here: the body has
  ///   not been called then.
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

  /// Calls a teardown, with the output of its pebble.
  ///
  /// - Throws: ``MisfitError`` if the pond has no such pebble; what the teardown throws.
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

/// A worker cannot make the call that came to it; another one may.
struct MisfitError: Error, Hashable, CustomStringConvertible {
  /// Why, as a clause.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
