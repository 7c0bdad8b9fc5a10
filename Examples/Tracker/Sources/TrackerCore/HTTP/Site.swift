import Hummingbird
import PebblesServer
import People
import Synchronization

/// The state of the site for visitors: its screen, and whether the doors are open.
///
/// The server starts listening before there is anything to show, and stops after the doors have
/// closed. In between, the doors are open. The database stays open until every admitted request is
/// answered, or the time limit for answers has passed.
public final class Site: Sendable {
  /// The screen that the site currently shows.
  public enum Screen: Sendable, Hashable {
    /// Nothing is there yet.
    case booting

    /// All launches from the feed are there.
    case online

    /// Launches are there, but something could not be loaded, for the given reason.
    case stale(Loss)

    /// No launches can be shown, for the given reason.
    case offline(Loss)

    /// The process was told to end. The last launches are shown until the doors close.
    case closing
  }

  /// An action requested from the refresher before the next refresh is due.
  enum Wish: Sendable, Hashable, Comparable {
    /// A check of the database, after a read error.
    case check

    /// A load of everything.
    case refresh
  }

  package typealias Responder = @Sendable (Request, TrackerContext) async throws -> Response

  /// The numbers of requests from visitors, including loads of Home.
  public struct Visits: Sendable, Hashable {
    /// The number of admitted requests.
    public var admitted = 0

    /// The number of admitted requests that were answered, with or without an error.
    public var answered = 0

    /// The number of requests refused because the doors were closed or there was nothing to see.
    public var turnedAway = 0
  }

  private struct State {
    var screen = Screen.booting
    var port: Int?
    var responder: Responder?
    var visits = Visits()
    var whenEmpty: [CheckedContinuation<Void, Never>] = []

    /// The streams to finish when the first screen is shown.
    var whenShown: [AsyncStream<Void>.Continuation] = []

    var wish: Wish?
    var isRefreshed = false

    /// The stream that receives the next wish.
    var whenWished: AsyncStream<Wish>.Continuation?

    var isEmpty: Bool { visits.admitted == visits.answered }

    /// The responder; `nil` if the doors are closed or there is nothing to see.
    var open: Responder? {
      switch screen {
      case .booting, .offline: nil
      case .online, .stale, .closing: responder
      }
    }
  }

  private let state = Mutex(State())

  /// The people shown at `/people`, who may be missing until long after the doors open.
  package let people = PeopleRoom()

  /// The last refresh.
  let lastRefresh = LastRun()

  /// Creates a site with closed doors.
  public init() {}

  /// The current screen.
  public var screen: Screen { state.withLock(\.screen) }

  /// The port of the server; `nil` before it listens.
  public var port: Int? { state.withLock(\.port) }

  /// Whether the doors are open and there is something to see.
  public var isOpen: Bool { state.withLock { $0.open != nil } }

  /// Whether visitors should be sent to this site, because it is open and is not about to close.
  public var isReady: Bool { state.withLock { $0.open != nil && $0.screen != .closing } }

  /// The numbers of requests so far.
  public var visits: Visits { state.withLock(\.visits) }

  /// Changes the screen, unless the site is closing.
  package func show(_ screen: Screen) {
    let waiting = state.withLock { state in
      if state.screen != .closing { state.screen = screen }
      return state.whenShown.takeAll()
    }
    for one in waiting { one.finish() }
  }

  /// Waits until there is a screen, or the task is cancelled.
  func waitForScreen() async {
    let (shown, waiting) = AsyncStream.makeStream(of: Void.self)
    state.withLock { state in
      if state.screen == .booting { state.whenShown.append(waiting) } else { waiting.finish() }
    }
    for await _ in shown {}
  }

  /// Whether the process was told to end.
  public var isClosing: Bool { screen == .closing }

  /// Announces that the doors will close. If no visitors are admitted now, the doors stay closed.
  ///
  /// - Returns: Whether visitors are still admitted until the doors close.
  func beginClosing() -> Bool {
    state.withLock { state in
      if state.open == nil { state.responder = nil }
      state.screen = .closing
      return state.responder != nil
    }
  }

  /// Whether a refresh or a check has begun since the boot. From then on, the missing parts may
  /// differ from those that the boot lost.
  var isRefreshed: Bool { state.withLock(\.isRefreshed) }

  /// Records that a refresh or a check has begun.
  func refreshBegan() { state.withLock { $0.isRefreshed = true } }

  /// Requests an action from the refresher. Only one pending request is kept; a refresh takes
  /// precedence over a check.
  func wish(for wish: Wish) {
    state.withLock { state in
      if case .enqueued = state.whenWished?.yield(wish) {
        state.whenWished = nil
      } else {
        state.wish = max(state.wish ?? wish, wish)
      }
    }
  }

  /// Waits until an action is requested from the refresher. Returns `nil` if the task is cancelled
  /// first.
  func wish() async -> Wish? {
    let (wishes, waiting) = AsyncStream.makeStream(of: Wish.self)
    state.withLock { state in
      if let wish = state.wish { waiting.yield(wish) } else { state.whenWished = waiting }
      state.wish = nil
    }
    return await wishes.first { _ in true }
  }

  /// Records that the server listens on a port.
  package func listens(on port: Int) { state.withLock { $0.port = port } }

  /// Opens the doors.
  ///
  /// - Parameter responder: The responder that answers admitted requests.
  package func open(_ responder: @escaping Responder) {
    state.withLock { $0.responder = responder }
  }

  /// Closes the doors, and waits for the admitted requests.
  ///
  /// - Parameter isPatient: Whether to wait even if the task is cancelled.
  /// - Returns: The number of admitted requests that are not answered yet.
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

  /// Waits until all admitted requests are answered, or until `isOver` returns `true`. This closure
  /// is called each time the function wakes up.
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

  /// Answers a request, or refuses it if the doors are closed or there is nothing to see.
  package func respond(to request: Request, _ context: TrackerContext) async throws -> Response {
    try await admit { try await $0(request, context) } ?? closed(request)
  }

  /// Admits a visitor until the visit is over.
  ///
  /// - Parameter visit: The closure that makes the visit, called with the responder.
  /// - Returns: The result of the visit; `nil` if the doors are closed or there is nothing to see.
  /// - Throws: The error thrown by the visit.
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

  /// Returns the answer to a request that was not admitted. During the boot, browsers that open
  /// Home are redirected to the Boot page.
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
  /// The screen in a few words.
  public var description: String {
    if self == .closing { return "closing: the process was told to end" }
    return loss.map { "\(name): \($0.clause())" } ?? name
  }

  /// The name of the screen.
  public var name: String {
    switch self {
    case .booting: "booting"
    case .online: "online"
    case .stale: "stale"
    case .offline: "offline"
    case .closing: "closing"
    }
  }

  /// The reason why the site is stale or offline; `nil` if it is neither.
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
