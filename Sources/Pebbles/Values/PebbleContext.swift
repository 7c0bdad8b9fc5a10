/// Tells code where in which run it is.
///
/// ```swift
/// logger.info("connecting", metadata: ["pebble": "\(PebbleContext.current?.pebble ?? "-")"])
/// ```
public struct PebbleContext: Sendable, Hashable {
  /// The name of the pond.
  public let pond: String

  /// The name of the pebble.
  public let pebble: String

  /// Which call of its body this is, from 1 on.
  public let attempt: Int

  /// Tells the runs of a process apart.
  public let runIdentifier: RunIdentifier

  package let runReference: RunReference?

  /// Makes a context, for the test of what takes one.
  ///
  /// ```swift
  /// @Test func theSpanIsCalledLikeThePebble() async throws {
  ///   try await traced(PebbleContext(pond: "boot", pebble: "openDatabase")) {}
  ///   #expect(tracer.spans.map(\.name) == ["openDatabase"])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - pond: The name of the pond.
  ///   - pebble: The name of the pebble.
  ///   - attempt: Which call of its body this is, from 1 on.
  ///   - runIdentifier: That of the run; one of its own, if not given.
  public init(
    pond: String, pebble: String, attempt: Int = 1,
    runIdentifier: RunIdentifier = RunIdentifier()
  ) {
    self.init(pond: pond, pebble: pebble, attempt: attempt, runIdentifier: runIdentifier, nil)
  }

  init(
    pond: String, pebble: String, attempt: Int, runIdentifier: RunIdentifier, _ run: RunReference?
  ) {
    self.pond = pond
    self.pebble = pebble
    self.attempt = attempt
    self.runIdentifier = runIdentifier
    runReference = run
  }
}
