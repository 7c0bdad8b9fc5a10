import Pebbles

/// A pond whose bodies a worker calls.
struct HostedPond: Sendable {
  let pond: Pond

  /// What pebbles are called now that had other names when runs were started that still go on.
  let newNames: [String: String]

  /// Calls a body for a run that knows its pebbles by the names that they had when it was started.
  func attempt(
    _ pebble: String, number: Int, of run: RunIdentifier, inputs: [String: EncodedOutcome],
    coder: any OutputCoder
  ) async throws -> AttemptResult {
    let inputs = Dictionary(inputs.map { (current($0.key), $0.value) }) { first, _ in first }
    return try await pond.attempt(
      .named(current(pebble)), number: number, of: run, inputs: inputs, coder: coder)
  }

  /// Calls a teardown, with the output of its pebble.
  func tearDown(
    _ pebble: String, of run: RunIdentifier, output: [UInt8]?, coder: any OutputCoder
  ) async throws {
    try await pond.tearDown(.named(current(pebble)), of: run, output: output, coder: coder)
  }

  private func current(_ name: String) -> String { newNames[name] ?? name }
}
