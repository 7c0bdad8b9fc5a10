import Hummingbird
import PebblesServer
import People
import Synchronization

/// What visitors see, and whether they may come in.
///
/// The server listens before there is anything to show, and after the database has closed. In
/// between the doors are open: a request that came in finds the database open until it is answered.
public final class Site: Sendable {
  /// What there is to see.
  public enum Screen: Sendable, Hashable {
    /// Nothing yet.
    case booting

    /// All that the feed has.
    case online

    /// What is left of an earlier time, and why.
    case stale(Loss)

    /// Nothing, and why.
    case offline(Loss)

    /// What there was, for those who come before the doors close: the process was told to end.
    case closing
  }

  /// What somebody wants of who refreshes, before it is due.
  enum Wish: Sendable, Hashable, Comparable {
    /// To look at the database, which could not be read.
    case check

    /// To load everything.
    case refresh
  }

  package typealias Responder = @Sendable (Request, TrackerContext) async throws -> Response

  /// What happened to the requests that came to the doors.
  public struct Visits: Sendable, Hashable {
    /// Let in.
    public var admitted = 0

    /// Answered, well or not, of those that were let in.
    public var answered = 0

    /// Told that the doors are closed.
    public var turnedAway = 0
  }

  private struct State {
    var screen = Screen.booting
    var port: Int?
    var responder: Responder?
    var visits = Visits()
    var whenEmpty: [CheckedContinuation<Void, Never>] = []

    /// Finished once there is a screen.
    var whenShown: [AsyncStream<Void>.Continuation] = []

    var wish: Wish?
    var isRefreshed = false

    /// Handed the next wish.
    var whenWished: AsyncStream<Wish>.Continuation?

    var isEmpty: Bool { visits.admitted == visits.answered }

    /// Who answers; nobody, if the doors are closed or there is nothing to see.
    var open: Responder? {
      switch screen {
      case .booting, .offline: nil
      case .online, .stale, .closing: responder
      }
    }
  }

  private let state = Mutex(State())

  /// Who answers at `/people`, which may be nobody until long after the doors open.
  package let people = PeopleRoom()

  /// How the last refresh went.
  let lastRefresh = LastRun()

  /// Makes a site whose doors are closed.
  public init() {}

  /// What there is to see.
  public var screen: Screen { state.withLock(\.screen) }

  /// On which port the server listens; `nil` before it does.
  public var port: Int? { state.withLock(\.port) }

  /// Whether visitors may come in, and there is something to see.
  public var isOpen: Bool { state.withLock { $0.open != nil } }

  /// Whether visitors are to be sent here: the doors are open, and stay so.
  public var isReady: Bool { state.withLock { $0.open != nil && $0.screen != .closing } }

  /// What happened to the requests so far.
  public var visits: Visits { state.withLock(\.visits) }

  /// Changes what there is to see, unless the site is closing: nothing comes after that.
  package func show(_ screen: Screen) {
    let waiting = state.withLock { state in
      if state.screen != .closing { state.screen = screen }
      return state.whenShown.takeAll()
    }
    for one in waiting { one.finish() }
  }

  /// Waits until there is a screen, whichever, or the task is cancelled.
  func waitForScreen() async {
    let (shown, waiting) = AsyncStream.makeStream(of: Void.self)
    state.withLock { state in
      if state.screen == .booting { state.whenShown.append(waiting) } else { waiting.finish() }
    }
    for await _ in shown {}
  }

  /// Whether the process was told to end.
  public var isClosing: Bool { screen == .closing }

  /// Says that the doors are going to close. Those who were turned away are so further on.
  ///
  /// - Returns: Whether anybody is let in until then.
  func beginClosing() -> Bool {
    state.withLock { state in
      if state.open == nil { state.responder = nil }
      state.screen = .closing
      return state.responder != nil
    }
  }

  /// Whether anything was loaded or looked at since the boot: then what is missing may be something
  /// else than what the boot has lost.
  var isRefreshed: Bool { state.withLock(\.isRefreshed) }

  /// Somebody refreshes, or looks at the database.
  func refreshBegan() { state.withLock { $0.isRefreshed = true } }

  /// Asks who refreshes for something. Of several wishes the greatest is remembered.
  func wish(for wish: Wish) {
    state.withLock { state in
      if case .enqueued = state.whenWished?.yield(wish) {
        state.whenWished = nil
      } else {
        state.wish = max(state.wish ?? wish, wish)
      }
    }
  }

  /// Waits for a wish; `nil` if the task is cancelled before there is one.
  func wish() async -> Wish? {
    let (wishes, waiting) = AsyncStream.makeStream(of: Wish.self)
    state.withLock { state in
      if let wish = state.wish { waiting.yield(wish) } else { state.whenWished = waiting }
      state.wish = nil
    }
    return await wishes.first { _ in true }
  }

  /// The server listens.
  package func listens(on port: Int) { state.withLock { $0.port = port } }

  /// Opens the doors.
  ///
  /// - Parameter responder: Answers those who come in.
  package func open(_ responder: @escaping Responder) {
    state.withLock { $0.responder = responder }
  }

  /// Lets nobody in any more, and waits for those inside.
  ///
  /// - Parameter isPatient: Whether it waits also in a task that is cancelled.
  /// - Returns: How many are still inside.
  package func close(isPatient: Bool = false) async -> Int {
    state.withLock { $0.responder = nil }
    if isPatient {
      await wait { false }
    } else {
      await withTaskCancellationHandler {
        await wait { Task.isCancelled }
      } onCancel: {
        wakeAll()
      }
    }
    return state.withLock { $0.visits.admitted - $0.visits.answered }
  }

  /// Waits until nobody is inside or, looked at whenever all who wait are woken, it is over.
  private func wait(unless isOver: () -> Bool) async {
    var isWaiting = true
    while isWaiting {
      await withCheckedContinuation { continuation in
        isWaiting = state.withLock { state in
          if state.isEmpty || isOver() { return false }
          state.whenEmpty.append(continuation)
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    }
  }

  /// Answers a request, if the doors are open.
  package func respond(to request: Request, _ context: TrackerContext) async throws -> Response {
    try await admit { try await $0(request, context) } ?? closed(request)
  }

  /// Lets a visitor in until the visit is over.
  ///
  /// - Parameter visit: What the visitor does, handed who answers.
  /// - Returns: What came of it; `nil` if the doors are closed.
  /// - Throws: What the visit throws.
  func admit<Value>(_ visit: (Responder) async throws -> Value) async throws -> Value? {
    guard let responder = enter() else { return nil }
    defer { leave() }
    return try await visit(responder)
  }

  private func enter() -> Responder? {
    state.withLock { state in
      guard let responder = state.open else {
        state.visits.turnedAway += 1
        return nil
      }
      state.visits.admitted += 1
      return responder
    }
  }

  private func leave() {
    let isEmpty = state.withLock { state in
      state.visits.answered += 1
      return state.isEmpty
    }
    if isEmpty { wakeAll() }
  }

  private func wakeAll() {
    for waiting in state.withLock({ $0.whenEmpty.takeAll() }) { waiting.resume() }
  }

  /// Whoever comes for a page while there is none is led to the one that shows how it comes.
  private func closed(_ request: Request) -> Response {
    let screen = screen
    if screen == .booting, request.uri.path == "/", request.wantsPage {
      return Response(
        status: .temporaryRedirect, headers: [.location: "/boot", .cacheControl: "no-store"])
    }
    return ErrorAnswer(
      .serviceUnavailable, "\(screen)", headers: [.retryAfter: "1", .cacheControl: "no-store"]
    ).response(to: request)
  }
}

extension Site.Screen: CustomStringConvertible {
  /// What there is to see, in some words.
  public var description: String {
    if self == .closing { return "closing: the process was told to end" }
    return loss.map { "\(name): \($0.clause())" } ?? name
  }

  /// The word for it.
  public var name: String {
    switch self {
    case .booting: "booting"
    case .online: "online"
    case .stale: "stale"
    case .offline: "offline"
    case .closing: "closing"
    }
  }

  /// Why there is less to see than there might be; `nil` if there is not.
  public var loss: Loss? {
    switch self {
    case .stale(let loss), .offline(let loss): loss
    case .booting, .online, .closing: nil
    }
  }
}

extension Array {
  fileprivate mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
