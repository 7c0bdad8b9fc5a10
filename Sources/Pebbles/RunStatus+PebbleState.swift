extension RunStatus {
  /// What a pebble of a run is at: its ``kind``, and what belongs to that; what does not is `nil`
  /// or empty.
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

    /// The cases of a pebble that has succeeded or failed that hold, in the order of their
    /// definition.
    public let cases: [PebbleCase]

    package init(_ detail: Detail, cases: [PebbleCase] = []) {
      self.detail = detail
      self.cases = cases
    }

    /// What a pebble can be at. More may come with later versions.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
      /// A word for it.
      public let name: String

      private init(_ name: String) {
        self.name = name
      }

      /// Its condition is undecided: it waits for the pebbles in ``State/waitingFor``.
      public static let waiting = Kind("waiting")

      /// Its condition is true and its body has not been called: it waits for ``State/limits``, or,
      /// if there are none, only for its turn.
      public static let ready = Kind("ready")

      /// Its body is running, or it waits to be called again.
      public static let running = Kind("running")

      /// It has succeeded. A service that has may still be up.
      public static let succeeded = Kind("succeeded")

      /// It has failed.
      public static let failed = Kind("failed")

      /// It was skipped.
      public static let skipped = Kind("skipped")

      /// The word for it.
      public var description: String { name }
    }
  }

  /// What limits how many pebbles run, and has nothing free for one that is ready.
  public struct Limit: Sendable, Hashable, CustomStringConvertible {
    /// What can limit pebbles. More may come with later versions.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
      /// A word for it.
      public let name: String

      private init(_ name: String) {
        self.name = name
      }

      /// A resource, see ``PebbleTrait/uses(_:_:of:)``.
      public static let resource = Kind("resource")

      /// A key that pebbles exclude each other by, see ``PebbleTrait/exclusive(_:)``.
      public static let exclusive = Kind("exclusive")

      /// How many pebbles of a cluster may run at a time.
      public static let cluster = Kind("cluster")

      /// How many pebbles of the pond may run at a time.
      public static let maxConcurrent = Kind("maxConcurrent")

      /// How many bodies may block a thread, those of other runs included; see
      /// ``PebbleTrait/blocking``.
      public static let blockingThreads = Kind("blockingThreads")

      /// A service whose output the pebble takes: it has ended and is called again.
      public static let service = Kind("service")

      package static let all = [
        resource, exclusive, cluster, maxConcurrent, blockingThreads, service,
      ]

      /// The word for it.
      public var description: String { name }
    }

    /// What kind of limit it is.
    public let kind: Kind

    /// The name of the resource, the key, the cluster or the service; `nil` for a limit of the
    /// pond.
    public let name: String?

    package init(_ kind: Kind, _ name: String? = nil) {
      self.kind = kind
      self.name = name
    }

    /// What it is and its name: `resource "lines"`.
    public var description: String {
      name.map { "\(kind) \($0.truncated(to: 60).swiftLiteral)" } ?? kind.name
    }
  }
}

extension RunStatus.State {
  /// What the pebble is at.
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

  /// The pebbles that could still decide the condition of one that waits, nearest first; a hundred
  /// at most.
  public var waitingFor: [String] {
    if case .waiting(let pebbles) = detail { pebbles } else { [] }
  }

  /// What has nothing free for a pebble that is ready.
  public var limits: [RunStatus.Limit] {
    if case .ready(let limits) = detail { limits } else { [] }
  }

  /// When the body of a pebble that runs was first called, as an offset from the start of the run.
  public var since: Duration? {
    if case .running(let since, _) = detail { since } else { nil }
  }

  /// Which call of its body a pebble that runs is at, from 1. Between two it is the next.
  public var attempt: Int? {
    if case .running(_, let attempt) = detail { attempt } else { nil }
  }

  /// What a pebble failed with.
  public var error: RecordedError? {
    if case .failed(let error) = detail { error } else { nil }
  }

  /// Whether a pebble has succeeded in an earlier run, and this one has kept that.
  public var isKept: Bool {
    if case .succeeded(let isKept) = detail { isKept } else { false }
  }

  /// Why a pebble was skipped.
  public var skipReason: SkipReason? {
    if case .skipped(let reason, _) = detail { reason } else { nil }
  }

  /// Whether it matters that a pebble was skipped. While the run goes on, one that is
  /// ``SkipKind/blocked`` may turn out to be ``SkipKind/notNeeded``.
  public var skipKind: SkipKind? {
    if case .skipped(_, let kind) = detail { kind } else { nil }
  }
}

extension RunStatus.State: CustomStringConvertible {
  /// The state in some words: `waiting for login`, `ready, behind resource "lines"`,
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
      "\(kind == .blocked || kind == .notNeeded ? kind?.name ?? "" : "skipped"): \(reason)"
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
