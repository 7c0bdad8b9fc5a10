extension RunStatus {
  /// The state of a pebble in a run. The ``kind`` of the state determines which properties apply;
  /// the others are `nil`, `false` or empty.
  public struct State: Sendable, Hashable {
    package enum Detail: Sendable, Hashable {
      case waiting(for: [String])
      case ready(behind: [Limit])
      case running(since: Duration, attempt: Int)
      case succeeded(isKept: Bool = false)
      case failed(RecordedError)
      case skipped(SkipReason, SkipKind? = nil)
    }

    package let detail: Detail

    /// The cases that hold for a pebble that has succeeded or failed, in definition order.
    public let cases: [PebbleCase]

    package init(_ detail: Detail, cases: [PebbleCase] = []) {
      self.detail = detail
      self.cases = cases
    }

    /// A kind of state. Later versions may add kinds.
    @nonexhaustive public enum Kind: String, Sendable {
      /// The state of a pebble whose condition is undecided. The pebble waits for the pebbles in
      /// ``State/waitingFor``.
      case waiting

      /// The state of a pebble whose condition is true but whose body has not been called. The
      /// pebble waits for its ``State/limits`` or, if there are none, is about to start.
      case ready

      /// The state of a pebble whose body is running or is due to be called again.
      case running

      /// The state of a pebble that has succeeded. If it is a service, it may still be running.
      case succeeded

      /// The state of a pebble that has failed.
      case failed

      /// The state of a pebble that was skipped.
      case skipped
    }
  }

  /// A limit that keeps a ready pebble from starting.
  public struct Limit: Sendable, Hashable, CustomStringConvertible {
    /// A kind of limit. Later versions may add kinds.
    @nonexhaustive public enum Kind: String, Sendable, CaseIterable {
      /// A resource, as used with ``PebbleTrait/uses(_:_:of:)``.
      case resource

      /// A key shared by pebbles that must not run at the same time, as given with
      /// ``PebbleTrait/exclusive(_:)``.
      case exclusive

      /// The maximum number of pebbles of a cluster that may run at the same time.
      case cluster

      /// The maximum number of pebbles of the pond that may run at the same time.
      case maxConcurrent

      /// The maximum number of bodies that may block a thread at the same time, including bodies of
      /// other runs; see ``PebbleTrait/blocking``.
      case blockingThreads

      /// A service that is being restarted. The pebble takes the output of this service as an
      /// input.
      case service
    }

    /// The kind of the limit.
    public let kind: Kind

    /// The name of the resource, key, cluster or service; `nil` for `maxConcurrent` and
    /// `blockingThreads`.
    public let name: String?

    package init(_ kind: Kind, _ name: String? = nil) {
      self.kind = kind
      self.name = name
    }

    /// The kind of the limit and its name, such as `resource "lines"`.
    public var description: String {
      name.map { "\(kind.rawValue) \($0.shortLiteral)" } ?? kind.rawValue
    }
  }
}

extension RunStatus.State {
  /// The kind of the state.
  public var kind: Kind {
    switch detail {
    case .waiting: .waiting
    case .ready: .ready
    case .running: .running
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped: .skipped
    }
  }

  /// The names of at most a hundred pebbles that could still decide the condition of a waiting
  /// pebble. Pebbles that are less deeply nested in the condition come first.
  public var waitingFor: [String] {
    if case .waiting(let pebbles) = detail { pebbles } else { [] }
  }

  /// The limits that keep a ready pebble from starting.
  public var limits: [RunStatus.Limit] {
    if case .ready(let limits) = detail { limits } else { [] }
  }

  /// The time at which the body of a running pebble was first called, as an offset from the start
  /// of the run.
  public var since: Duration? {
    if case .running(let since, _) = detail { since } else { nil }
  }

  /// The number of the current call to a running pebble's body, starting at 1. Between two calls,
  /// this is the number of the next call.
  public var attempt: Int? {
    if case .running(_, let attempt) = detail { attempt } else { nil }
  }

  /// The error of a failed pebble.
  public var error: RecordedError? {
    if case .failed(let error) = detail { error } else { nil }
  }

  /// Whether the pebble succeeded in an earlier run and this run kept its success.
  public var isKept: Bool {
    if case .succeeded(let isKept) = detail { isKept } else { false }
  }

  /// The reason for the skip; `nil` if the pebble was not skipped.
  public var skipReason: SkipReason? {
    if case .skipped(let reason, _) = detail { reason } else { nil }
  }

  /// The kind of skip; `nil` if the pebble was not skipped, or if the kind was unknown when the
  /// state was decoded. While the run is under way, a pebble that is ``SkipKind/blocked`` may turn
  /// out to be ``SkipKind/notNeeded``.
  public var skipKind: SkipKind? {
    if case .skipped(_, let kind) = detail { kind } else { nil }
  }
}

extension RunStatus.State: CustomStringConvertible {
  /// A description of the state, such as `waiting for login`, `ready, behind resource "lines"` or
  /// `running since 12.3 ms, attempt 2`.
  public var description: String {
    switch detail {
    case .waiting(let pebbles): "waiting\(Self.list(pebbles.map(Self.name), after: " for "))"
    case .ready(let limits): "ready\(Self.list(limits.map(\.description), after: ", behind "))"
    case .running(let since, let attempt): "running since \(since.brief), attempt \(attempt)"
    case .succeeded(let isKept): (isKept ? "kept: " : "") + cases.past(or: .succeeded)
    case .failed(let error):
      "\(cases.past(or: .failed)): \(error.text.truncated(to: 500).singleLine)"
    case .skipped(let reason, let kind):
      "\(kind == .blocked || kind == .notNeeded ? kind?.rawValue ?? "" : "skipped"): \(reason)"
        .truncated(to: 500)
    }
  }

  private static func name(_ pebble: String) -> String { pebble.shortName }

  private static func list(_ items: [String], after start: String) -> String {
    if items.isEmpty { return "" }
    let more = items.count > 4 ? ", \(items.count - 4) more" : ""
    return start + items.prefix(4).joined(separator: ", ") + more
  }
}
