import Synchronization

/// Runs that resume each other, in the order in which they began.
///
/// They share what is up: each owns what its own bodies have opened, and keeps the rest from those
/// before it. So they go down one after the other, the newest first, whichever of them is asked to;
/// and only one of them is resumed at a time, above which nothing is up.
///
/// What is up is for the runs themselves to say. The line holds none of them: who does are the
/// `Run`s in the hands of callers, and the services that are up.
///
/// ```
///   first ◀──── second ◀──── newest
///     ▲            ▲            ▲           ───  holds, while there is something up
///     └─ ─ ─ ─  line ─ ─ ─ ─ ─ ─┘           ─ ─  knows, without holding it
/// ```
///
/// One lock for all that they have to agree on. It may be held while that of a run is taken, and
/// never the other way round.
final class RunLine: Sendable {
  private struct Member: Sendable {
    weak let run: RunCore?
  }

  private enum Resumption {
    case none
    case underWay
    /// The runs are being shut down meanwhile.
    case tooLate
  }

  private struct State: Sendable {
    var members: [Member]
    var resumption = Resumption.none

    /// Why they are torn down, from when that is asked for on.
    var shutdownReason: RunCancellation?

    var runs: [RunCore] { members.compactMap(\.run) }

    /// Those that are not torn down, the newest last.
    var runsUp: [RunCore] { runs.filter { !$0.isTornDown } }
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - first: The run that the others resume.
  ///   - reason: Why that is torn down, if it was asked to.
  init(_ first: RunCore, shutdownReason reason: RunCancellation?) {
    state = Mutex(State(members: [Member(run: first)], shutdownReason: reason))
  }

  /// The runs that somebody still holds, the oldest first.
  var runs: [RunCore] { state.withLock(\.runs) }

  /// One of the runs is about to be resumed.
  ///
  /// - Returns: What is in the way of that; if nothing is, `add(_:)` is next.
  func resumptionBegins(of run: RunCore) -> String? {
    state.withLock { state in
      let runsUp = state.runsUp
      if runsUp.isEmpty { state.shutdownReason = nil }
      if let problem = run.problemOfResumption { return problem }
      let newer = state.runs.reversed().prefix { $0 !== run }
      if state.shutdownReason != nil { return "that is being shut down; wait for that" }
      if newer.contains(where: { $0.isGoingOn }) {
        return "that another run resumes, which is still going: resume that"
      }
      guard state.resumption == .none else { return "that is just being resumed" }
      state.resumption = .underWay
      return nil
    }
  }

  /// A new run goes on with what is up of the others.
  ///
  /// - Returns: Whether that is possible; otherwise they are being shut down meanwhile.
  func add(_ run: RunCore) -> Bool {
    state.withLock { state in
      defer { state.resumption = .none }
      if state.resumption == .tooLate { return false }
      state.members.removeAll { $0.run == nil }
      state.members.append(Member(run: run))
      return true
    }
  }

  /// There is no new run after all.
  func resumptionEnds() {
    state.withLock { $0.resumption = .none }
  }

  /// The runs are to be torn down.
  ///
  /// - Returns: The one whose turn it is; `nil` if none is up.
  func shutdownAsked(for reason: RunCancellation) -> RunCore? {
    state.withLock { state in
      guard let newest = state.runsUp.last else { return nil }
      state.shutdownReason = state.shutdownReason ?? reason
      if state.resumption == .underWay { state.resumption = .tooLate }
      return newest
    }
  }

  /// One of the runs has been torn down.
  ///
  /// - Returns: The next one to be torn down, and why, if all are to be.
  func next() -> (next: RunCore, reason: RunCancellation)? {
    state.withLock { state in
      guard let reason = state.shutdownReason, let next = state.runsUp.last else { return nil }
      return (next, reason)
    }
  }
}

extension RunCore {
  /// Whether the run has been torn down, though that may not have been told yet.
  var isTornDown: Bool {
    life.read { if case .ended = $0.run.phase { true } else { false } }
  }

  /// Whether pebbles of it run, or something is up that they have opened.
  fileprivate var isGoingOn: Bool { !life.isOver || hasOpened }

  /// Why the run cannot be resumed, whatever others do.
  fileprivate var problemOfResumption: String? {
    let (phase, isToBeTornDown) = life.read { ($0.run.phase, $0.run.isToBeTornDown) }
    return switch phase {
    case .booting, .atRest: "that still boots; wait for its report"
    case .ending, .up: isToBeTornDown ? "that is being shut down; wait for that" : nil
    case .stopping: "that is being shut down; wait for that"
    case .ended: nil
    }
  }
}
