import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The open connections, and the times at which they began to wait for their clients.
///
/// While the number of connections exceeds the limit, every answer is the last on its connection,
/// so that new clients are served. Connections that have waited too long for their clients are
/// closed, longest wait first. Connections whose clients are waiting for an answer stay open. A few
/// connections beyond the limit are accepted, so that the server still answers new clients.
final class OpenConnections: Sendable {
  private struct Waiting {
    let channel: any Channel
    let start: NIODeadline
  }

  private struct State {
    var count = 0
    var waiting: [ObjectIdentifier: Waiting] = [:]

    /// The connections that are being closed.
    var closing: Set<ObjectIdentifier> = []

    /// Whether another check is scheduled.
    var isLookedAtLater = false
    var told: NIODeadline?
  }

  /// The actions to take when there are too many connections.
  private struct Room {
    var closed: [any Channel] = []

    /// The event loop and the time of the next check.
    var later: (loop: any EventLoop, time: NIODeadline)?
  }

  /// The number of connections accepted beyond the limit.
  static let reserve = 8

  /// The maximum time that a connection may wait for its client if there are too many connections.
  static let patience = TimeAmount.seconds(1)

  private let most: Int
  private let logger: Logger
  private let state = Mutex(State())

  /// Creates an object without connections.
  ///
  /// - Parameters:
  ///   - most: The maximum number of connections.
  ///   - logger: The logger, which reports an exceeded limit at most once a minute.
  init(atMost most: Int, logger: Logger) {
    self.most = most
    self.logger = logger
  }

  func opened() {
    let (areTooMany, isNews) = state.withLock { state in
      state.count += 1
      guard state.count > most else { return (false, false) }
      let now = NIODeadline.now()
      if let told = state.told, now - told < .minutes(1) { return (true, false) }
      state.told = now
      return (true, true)
    }
    if isNews {
      logger.warning(
        """
        more than \(most) connections: until there are fewer, each is closed after its answer or a \
        second without requests; TRACKER_HTTP_CONNECTIONS sets the limit
        """)
    }
    if areTooMany { makeRoom() }
  }

  func closed() { state.withLock { $0.count -= 1 } }

  /// Whether an answer must be the last on its connection.
  var areTooMany: Bool { state.withLock { $0.count > most } }

  /// Whether another connection may be accepted.
  var haveRoom: Bool { state.withLock { $0.count < most + Self.reserve } }

  /// Records that a connection waits for its client to send a request, or the rest of one.
  func waits(_ channel: any Channel) {
    let areTooMany = state.withLock { state in
      state.waiting[ObjectIdentifier(channel)] = Waiting(
        channel: channel, start: channel.eventLoop.now)
      return state.count > most && !state.isLookedAtLater
    }
    if areTooMany { makeRoom() }
  }

  /// Records that a connection no longer waits for its client, because the client now waits for an
  /// answer or the connection is closed.
  func waitsNoLonger(_ channel: any Channel) {
    state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Closes excess connections that have waited too long, and schedules another check if needed.
  ///
  /// - Complexity: O(*n* · (*m* + 1)), where *n* is the number of waiting connections and *m* is
  ///   the number of connections that are closed; O(1) if the limit is not exceeded.
  private func makeRoom() {
    let room = state.withLock { state in
      var room = Room()
      while state.count - state.closing.count > most,
        let longest = state.waiting.min(by: { $0.value.start < $1.value.start })
      {
        let (channel, due) = (longest.value.channel, longest.value.start + Self.patience)
        guard channel.eventLoop.now >= due else {
          if !state.isLookedAtLater { room.later = (channel.eventLoop, due) }
          state.isLookedAtLater = true
          break
        }
        state.waiting[longest.key] = nil
        state.closing.insert(longest.key)
        room.closed.append(channel)
      }
      return room
    }
    for channel in room.closed {
      channel.closeFuture.whenComplete { [self] _ in
        state.withLock { _ = $0.closing.remove(ObjectIdentifier(channel)) }
      }
      channel.close(promise: nil)
    }
    guard let (loop, time) = room.later else { return }
    loop.scheduleTask(deadline: time) { [self] in
      state.withLock { $0.isLookedAtLater = false }
      makeRoom()
    }
  }
}

/// A delegate that accepts connections while there is room.
struct ConnectionLimit: AvailableConnectionsDelegate {
  private let connections: OpenConnections

  init(_ connections: OpenConnections) {
    self.connections = connections
  }

  func connectionOpened() { connections.opened() }

  func connectionClosed() { connections.closed() }

  func isAcceptingNewConnections() -> Bool { connections.haveRoom }
}
