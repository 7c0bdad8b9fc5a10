import Synchronization

/// A chain of runs, the oldest first. Each run of the chain, except the first, resumes an earlier
/// one.
///
/// Each run owns everything that its own bodies have opened. Everything that a run keeps from
/// earlier runs still belongs to those runs. Therefore, whichever run is asked to shut down, the
/// runs are torn down one after the other, the newest first. A run can be resumed only if every
/// newer run has ended and has nothing left to tear down. Only one run can be resumed at a time.
///
/// The chain holds only weak references to the runs. A `Run` keeps alive its own run, and the
/// earlier runs that had something to tear down when the `Run` was created. A service that is up
/// also keeps alive the run that called it.
///
/// ```
///   first ◀──── second ◀──── newest
///     ▲            ▲            ▲           ───  its `Run` keeps the earlier one
///     └─ ─ ─ ─  chain  ─ ─ ─ ─ ─┘           ─ ─  refers to it weakly
/// ```
///
/// One lock guards the state that the runs share. A run's lock may be taken while the chain's lock
/// is held, but not the other way around.
final class RunChain: Sendable {
  private struct Member: Sendable {
    weak let run: RunCore?
  }

  private enum Resumption {
    case none
    case underWay
    /// A resumption that is in progress, but will fail because a shutdown has been requested.
    case tooLate
  }

  private struct State: Sendable {
    var members: [Member]
    var resumption = Resumption.none

    /// The reason for tearing the runs down; `nil` until a shutdown is requested.
    var shutdownReason: RunCancellation?

    var runs: [RunCore] { members.compactMap(\.run) }

    /// The runs that have not been torn down, the newest last.
    var runsUp: [RunCore] { runs.filter { !$0.isTornDown } }
  }

  private let state: Mutex<State>

  /// Creates the chain of a run that is about to be resumed.
  ///
  /// - Parameters:
  ///   - first: The run that is about to be resumed.
  ///   - reason: The reason for tearing `first` down; `nil` if no shutdown was requested.
  init(_ first: RunCore, shutdownReason reason: RunCancellation?) {
    state = Mutex(State(members: [Member(run: first)], shutdownReason: reason))
  }

  /// The runs that still exist, the oldest first.
  var runs: [RunCore] { state.withLock(\.runs) }

  /// Records that a run of the chain is about to be resumed.
  ///
  /// - Returns: The problem that prevents the resumption, as a clause about the run, such as
  ///   `"it is being resumed by another call"`; `nil` if the run can be resumed. If the result is
  ///   `nil`, the caller must call `add(_:)` or `resumptionEnds()` afterwards.
  func resumptionBegins(of run: RunCore) -> String? {
    state.withLock { state in
      let runsUp = state.runsUp
      if runsUp.isEmpty { state.shutdownReason = nil }
      if let problem = run.problemOfResumption { return problem }
      let newer = state.runs.reversed().prefix { $0 !== run }
      if state.shutdownReason != nil { return "it is being shut down; wait for its end" }
      if newer.contains(where: { $0.isBeingTornDown }) {
        return "another run that resumes it is being shut down; wait for its end"
      }
      if newer.contains(where: { $0.isGoingOn }) {
        return "another run that resumes it is still going; resume that one"
      }
      guard state.resumption == .none else { return "it is being resumed by another call" }
      state.resumption = .underWay
      return nil
    }
  }

  /// Adds a new run, which resumes an earlier run of the chain.
  ///
  /// - Returns: Whether the run was added. If not, the other runs of the chain are being shut down.
  func add(_ run: RunCore) -> Bool {
    state.withLock { state in
      defer { state.resumption = .none }
      if state.resumption == .tooLate { return false }
      state.members.removeAll { $0.run == nil }
      state.members.append(Member(run: run))
      return true
    }
  }

  /// Records that the resumption failed. No run was added to the chain.
  func resumptionEnds() {
    state.withLock { $0.resumption = .none }
  }

  /// Records that the runs must be torn down.
  ///
  /// - Returns: The run to be torn down first; `nil` if no run of the chain is up.
  func shutdownAsked(for reason: RunCancellation) -> RunCore? {
    state.withLock { state in
      guard let newest = state.runsUp.last else { return nil }
      state.shutdownReason = state.shutdownReason ?? reason
      if state.resumption == .underWay { state.resumption = .tooLate }
      return newest
    }
  }

  /// Returns the next run to tear down, and the reason for its teardown; `nil` if no run is left to
  /// tear down, or if no shutdown was requested. Call this method each time a run in the chain has
  /// been torn down.
  func next() -> (next: RunCore, reason: RunCancellation)? {
    state.withLock { state in
      guard let reason = state.shutdownReason, let next = state.runsUp.last else { return nil }
      return (next, reason)
    }
  }
}

extension RunCore {
  /// Whether the run has been torn down. Its callers may not have been notified yet.
  var isTornDown: Bool {
    life.read { if case .ended = $0.run.phase { true } else { false } }
  }

  /// Whether the run is being torn down, even if only late outputs remain to be undone.
  fileprivate var isBeingTornDown: Bool {
    life.read { if case .stopping = $0.run.phase { true } else { false } }
  }

  /// Whether the run still has unsettled pebbles or something to tear down.
  fileprivate var isGoingOn: Bool { !life.isOver || hasOpened }

  /// The problem with this run that prevents it from being resumed, as a clause such as
  /// `"it still boots; wait for its report"`; `nil` if there is no such problem. Problems with
  /// other runs in the chain are ignored.
  fileprivate var problemOfResumption: String? {
    let (phase, isToBeTornDown) = life.read { ($0.run.phase, $0.run.isToBeTornDown) }
    return switch phase {
    case .booting, .atRest: "it still boots; wait for its report"
    case .ending, .up: isToBeTornDown ? "it is being shut down; wait for its end" : nil
    case .stopping: "it is being shut down; wait for its end"
    case .ended: nil
    }
  }
}
