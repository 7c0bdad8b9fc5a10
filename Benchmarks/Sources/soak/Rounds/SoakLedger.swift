import Pebbles
import Synchronization

/// A ledger in which bodies note their own actions, in order. The notes are later compared with the
/// reports.
final class SoakLedger: Sendable {
  struct Note: Sendable {
    let ticket: SoakTicket
    let event: Event
  }

  enum Event: Sendable, Equatable {
    case entered
    case left
    /// The body has opened a resource that the pebble's teardown closes. The body is about to
    /// return the resource or, if the pebble is a service, to report that the service is ready.
    case opened
    /// A service is about to report that it is ready.
    case ready
    /// The outermost layer fails the attempt without calling the body.
    case injected
    /// A completion is about to be called.
    case called
    case nestedRunEnded

    var isCallOfBody: Bool { self == .entered || self == .injected }
  }

  /// A nested run, and the resources opened and closed by its pebbles.
  struct NestedRun: Sendable {
    let parent: SoakTicket
    var opened: [Int: Int] = [:]
    var closed: [Int: Int] = [:]
    /// Whether the run has ended without being cancelled, and is not inside a nested service.
    var isUp = false
  }

  /// A record of everything that does not belong to a particular body.
  struct Tally: Sendable {
    var asked: [Int: Int] = [:]
    var judged: [Int: Int] = [:]
    var teardowns: [Teardown] = []
    var nestedRuns: [RunIdentifier: NestedRun] = [:]
    /// Descriptions of resources that were closed before a service had finished using them. This
    /// service restarts together with the service that opened the resource.
    var usesOfClosed: [String] = []
  }

  /// A call to a teardown.
  struct Teardown: Sendable {
    let pebble: Int
    /// The ticket that the teardown received; `nil` if the pebble has no output.
    let ticket: SoakTicket?
    /// The number of notes when the teardown began.
    let noteCount: Int
    /// The positions of this teardown's beginning and end in the sequence in which teardowns
    /// began and ended.
    let firstStep: Int
    var lastStep: Int?
  }

  private struct State {
    var notes: [Note] = []
    var tally = Tally()
    var teardownSteps = 0
    var underWay = 0
    var bodiesUnderWay: Set<SoakTicket> = []
    var holds = SoakHolds()
    /// The tickets that services received from the services with which they are restarted, keyed
    /// by the ticket of the receiving service.
    var used: [SoakTicket: SoakTicket] = [:]
    var closed: Set<SoakTicket> = []
    var grantsHeld = 0
    var complaints: [String] = []

    mutating func close(_ ticket: SoakTicket) {
      closed.insert(ticket)
      for body in bodiesUnderWay where used[body] == ticket {
        tally.usesOfClosed.append("\(ticket) was closed while \(body) used it")
      }
    }
  }

  private let pebbles: [SoakPebble]
  private let state = Mutex(State())

  init(_ pebbles: [SoakPebble]) {
    self.pebbles = pebbles
  }

  var notes: [Note] { state.withLock(\.notes) }
  var tally: Tally { state.withLock(\.tally) }
  var complaints: [String] { state.withLock(\.complaints) }

  /// The number of operations that the round has started and that have not ended.
  var underWay: Int { state.withLock(\.underWay) }

  /// The attempts whose bodies have begun but have not ended.
  var bodiesUnderWay: Set<SoakTicket> { state.withLock(\.bodiesUnderWay) }

  func note(_ event: Event, _ ticket: SoakTicket) {
    state.withLock { state in
      state.notes.append(Note(ticket: ticket, event: event))
      switch event {
      case .entered:
        state.underWay += 1
        state.bodiesUnderWay.insert(ticket)
        state.complaints += state.holds.bodyBegan(ticket, pebbles[ticket.pebble])
      case .left:
        state.underWay -= 1
        state.bodiesUnderWay.remove(ticket)
        state.holds.bodyEnded(ticket)
      case .ready: state.holds.serviceIsReady(ticket)
      case .opened, .injected, .called, .nestedRunEnded: break
      }
    }
  }

  /// Records that a service uses the output of the service with which it is restarted, and whether
  /// this output has already been closed.
  func uses(_ input: SoakTicket?, _ ticket: SoakTicket) {
    guard let input else { return }
    state.withLock { state in
      state.used[ticket] = input
      if state.closed.contains(input) {
        state.tally.usesOfClosed.append("\(ticket) was handed \(input), which had been closed")
      }
    }
  }

  func complain(_ sentence: String) {
    state.withLock { $0.complaints.append(sentence) }
  }

  func wasAsked(_ pebble: Int) {
    state.withLock { $0.tally.asked[pebble, default: 0] += 1 }
  }

  func wasJudged(_ pebble: Int) {
    state.withLock { $0.tally.judged[pebble, default: 0] += 1 }
  }

  /// Starts work that runs outside the bodies. The work counts as under way until it ends.
  func goOn(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { $0.underWay += 1 }
    Task.detached {
      await work()
      self.state.withLock { $0.underWay -= 1 }
    }
  }

  /// Runs work that counts as under way until it ends.
  func underWay(_ work: () async -> Void) async {
    state.withLock { $0.underWay += 1 }
    await work()
    state.withLock { $0.underWay -= 1 }
  }

  func grantBegan() {
    state.withLock { state in
      state.underWay += 1
      state.grantsHeld += 1
    }
  }

  func grantEnded() {
    state.withLock { state in
      state.underWay -= 1
      state.grantsHeld -= 1
      if state.grantsHeld < 0 { state.complaints.append("a background grant was ended twice") }
    }
  }

  /// Changes the record of a nested run.
  func changeNestedRun(
    _ run: RunIdentifier, of parent: SoakTicket,
    _ change: (inout NestedRun) -> Void
  ) {
    state.withLock { change(&$0.tally.nestedRuns[run, default: NestedRun(parent: parent)]) }
  }

  func teardownBegan(_ pebble: Int, _ ticket: SoakTicket?) -> Int {
    state.withLock { state in
      state.underWay += 1
      state.teardownSteps += 1
      if let ticket { state.close(ticket) }
      state.tally.teardowns.append(
        Teardown(
          pebble: pebble, ticket: ticket, noteCount: state.notes.count,
          firstStep: state.teardownSteps))
      return state.tally.teardowns.count - 1
    }
  }

  func teardownEnded(_ number: Int) {
    state.withLock { state in
      state.underWay -= 1
      state.teardownSteps += 1
      state.tally.teardowns[number].lastStep = state.teardownSteps
    }
  }
}
