/// Where the bodies of the boot perform: narrated, and slowed or failed if the options ask for it.
struct Stage: Sendable {
  let narrator: Narrator
  /// From `--slow`: how long to wait before the work.
  var delays: [String: Duration] = [:]
  /// From `--fail`: the pebbles whose work is not even tried.
  var failing: Set<String> = []

  func perform<Output: CustomStringConvertible>(
    _ pebble: String, _ body: () async throws -> Output
  ) async throws -> Output {
    let clock = ContinuousClock()
    let start = clock.now
    narrator.pebbleStarted(pebble)
    do {
      if let delay = delays[pebble] { try await clock.sleep(for: delay) }
      if failing.contains(pebble) { throw RehearsedFailure(pebble: pebble) }
      let output = try await body()
      narrator.pebbleSucceeded(pebble, after: clock.now - start, with: output.description)
      return output
    } catch {
      narrator.pebbleFailed(pebble, after: clock.now - start, with: error)
      throw error
    }
  }
}

/// The failure that `--fail` asks for.
struct RehearsedFailure: Error, Equatable, CustomStringConvertible {
  let pebble: String

  var description: String { "--fail \(pebble) asked for this" }
}
