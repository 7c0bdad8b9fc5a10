import Synchronization

/// The pebble, attempt and run of the current task.
///
/// ```swift
/// logger.info("connecting", metadata: ["pebble": "\(PebbleContext.current?.pebble ?? "-")"])
/// ```
public struct PebbleContext: Sendable, Hashable {
  /// The name of the pond.
  public let pond: String

  /// The name of the pebble.
  public let pebble: String

  /// The number of the attempt, starting at 1. Each attempt is one call to the body.
  public let attempt: Int

  /// The identifier of the run.
  public let runIdentifier: RunIdentifier

  package let runReference: RunReference?

  /// The identifier at the beginning of idempotency keys: the identifier of the run or, if the run
  /// resumes an earlier run, that of the first run in the chain.
  private let firstRun: RunIdentifier

  /// The name at the end of idempotency keys: the name of the pebble when the run began.
  private let originalName: String

  /// Creates a context to pass to code under test.
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
  ///   - attempt: The number of the attempt, starting at 1.
  ///   - runIdentifier: The identifier of the run; a new one by default.
  public init(
    pond: String, pebble: String, attempt: Int = 1,
    runIdentifier: RunIdentifier = RunIdentifier()
  ) {
    self.init(pond: pond, pebble: pebble, attempt: attempt, runIdentifier: runIdentifier, nil)
  }

  init(
    pond: String, pebble: String, attempt: Int, runIdentifier: RunIdentifier, _ run: RunReference?,
    resuming firstRun: RunIdentifier? = nil, originalName: String? = nil
  ) {
    self.pond = pond
    self.pebble = pebble
    self.attempt = attempt
    self.runIdentifier = runIdentifier
    runReference = run
    self.firstRun = firstRun ?? runIdentifier
    self.originalName = originalName ?? pebble
  }

  /// A key that identifies the work of the body. The key is the same in every attempt of this
  /// pebble in this run, and differs from the keys of other pebbles and of unrelated runs.
  ///
  /// A receiver can use this key to recognize repeated requests. A body that fails halfway, times
  /// out or dies with its process may be called again, even though it has already charged, sent or
  /// stored something.
  ///
  /// ```swift
  /// request.headers["Idempotency-Key"] = digest(PebbleContext.current?.idempotencyKey)
  /// ```
  ///
  /// The key contains the name that the pebble had when the run began. The key can have any length
  /// and contain any characters; if the receiver limits these, send a digest. The key is the same
  /// in all runs with the same ``runIdentifier``, and in runs that resume them. A run that starts
  /// from the beginning after a crash is a different run, unless you give it an identifier with the
  /// same name (``RunIdentifier/init(_:)``).
  ///
  /// If a body runs another pond, each attempt starts a new run of that pond.
  public var idempotencyKey: String {
    var key = ""
    // Escaped: otherwise a run named "a/b" and a run named "a" could have keys in common.
    for character in firstRun.description.unicodeScalars {
      switch character {
      case "/": key += "%2F"
      case "%": key += "%25"
      default: key.unicodeScalars.append(character)
      }
    }
    return "\(key)/\(originalName)"
  }
}

/// A weak reference from a context to its run.
///
/// All references are equal, so only the identifiers of the runs matter when contexts are compared.
package final class RunReference: Sendable, Hashable {
  private let run: Mutex<WeakReference>

  private struct WeakReference {
    weak var object: (any AnyObject & Sendable)?
  }

  init(_ run: any AnyObject & Sendable) {
    self.run = Mutex(WeakReference(object: run))
  }

  package var object: (any AnyObject & Sendable)? { run.withLock(\.object) }

  package static func == (_: RunReference, _: RunReference) -> Bool { true }

  package func hash(into _: inout Hasher) {}
}
