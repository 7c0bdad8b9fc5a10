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

  /// Tells runs apart.
  public let runIdentifier: RunIdentifier

  package let runReference: RunReference?

  /// What the keys begin with: the identifier of the run, or of the first of those that resume each
  /// other.
  private let firstRun: RunIdentifier

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
    pond: String, pebble: String, attempt: Int, runIdentifier: RunIdentifier, _ run: RunReference?,
    resuming firstRun: RunIdentifier? = nil
  ) {
    self.pond = pond
    self.pebble = pebble
    self.attempt = attempt
    self.runIdentifier = runIdentifier
    runReference = run
    self.firstRun = firstRun ?? runIdentifier
  }

  /// A name for what the body is to do: the same in every attempt of this pebble in this run, and
  /// in no other run and for no other pebble.
  ///
  /// Whoever is handed it can tell a repetition: a body that fails halfway, times out or dies with
  /// its process may be called again although it has already charged, sent or stored something.
  ///
  /// ```swift
  /// request.headers["Idempotency-Key"] = digest(PebbleContext.current?.idempotencyKey)
  /// ```
  ///
  /// It holds the name of the pebble and may be of any length, so where only some characters are
  /// allowed, send a digest. It is good for as long as the run has its ``runIdentifier``: after a
  /// crash, a run that is begun anew is another run, unless it is given the same
  /// ``RunIdentifier/init(_:)``. A pond that a body runs is a run of its own in every attempt.
  public var idempotencyKey: String {
    var key = ""
    // Escaped, lest a run that is called "a/b" and one that is called "a" have keys in common.
    for character in firstRun.description.unicodeScalars {
      switch character {
      case "/": key += "%2F"
      case "%": key += "%25"
      default: key.unicodeScalars.append(character)
      }
    }
    return "\(key)/\(pebble)"
  }
}
