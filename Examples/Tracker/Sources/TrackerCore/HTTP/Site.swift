import Hummingbird
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
    case stale(String)

    /// Nothing, and why.
    case offline(String)
  }

  package typealias Responder = @Sendable (Request, BasicRequestContext) async throws -> Response

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

    var isEmpty: Bool { visits.admitted == visits.answered }

    /// Who answers; nobody, if the doors are closed or there is nothing to see.
    var open: Responder? {
      switch screen {
      case .booting, .offline: nil
      case .online, .stale: responder
      }
    }
  }

  private let state = Mutex(State())

  /// Who answers at `/people`, which may be nobody until long after the doors open.
  package let people = PeopleRoom()

  /// Makes a site whose doors are closed.
  public init() {}

  /// What there is to see.
  public var screen: Screen { state.withLock(\.screen) }

  /// On which port the server listens; `nil` before it does.
  public var port: Int? { state.withLock(\.port) }

  /// Whether visitors may come in, and there is something to see.
  public var isOpen: Bool { state.withLock { $0.open != nil } }

  /// What happened to the requests so far.
  public var visits: Visits { state.withLock(\.visits) }

  /// Changes what there is to see.
  package func show(_ screen: Screen) {
    let waiting = state.withLock { state in
      state.screen = screen
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
  package func respond(to request: Request, _ context: BasicRequestContext) async throws -> Response
  {
    try await admit { try await $0(request, context) } ?? closed()
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

  private func closed() -> Response {
    Response(
      status: .serviceUnavailable,
      headers: [.retryAfter: "1", .contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: "\(screen)\n")))
  }
}

extension Site.Screen: CustomStringConvertible {
  /// What there is to see, in some words.
  public var description: String {
    switch self {
    case .booting: "booting"
    case .online: "online"
    case .stale(let why): "stale: \(why)"
    case .offline(let why): "offline: \(why)"
    }
  }
}

extension Array {
  fileprivate mutating func takeAll() -> Self {
    defer { self = [] }
    return self
  }
}
