import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The connections that are open, and since when each of them waits for its client.
///
/// Nobody who asks again and again loses a request. While there are more than there may be, every
/// answer is the last of its connection, so those who come next get their turn; and one that has
/// waited for its client for long is closed, the one first that waits for longest. A few more than
/// there may be are let in, so that those who come find one who answers.
final class OpenConnections: Sendable {
  private struct Waiting {
    let channel: any Channel
    let start: NIODeadline
  }

  private struct State {
    var count = 0
    var waiting: [ObjectIdentifier: Waiting] = [:]

    /// Closed, and not gone yet.
    var closing: Set<ObjectIdentifier> = []

    /// Whether somebody looks again once the next one has waited for long.
    var isLookedAtLater = false
    var told: NIODeadline?
  }

  /// What there is to do about too many.
  private struct Room {
    var closed: [any Channel] = []

    /// Where and when to look again.
    var later: (loop: any EventLoop, time: NIODeadline)?
  }

  /// How many more than there may be are let in.
  static let reserve = 8

  /// How long a connection may wait for its client, if there are too many.
  static let patience = TimeAmount.seconds(1)

  private let most: Int
  private let logger: Logger
  private let state = Mutex(State())

  /// - Parameters:
  ///   - most: How many there may be.
  ///   - logger: Told when there are more, at most once a minute.
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

  /// Whether an answer is to be the last of its connection.
  var areTooMany: Bool { state.withLock { $0.count > most } }

  /// Whether another may come.
  var haveRoom: Bool { state.withLock { $0.count < most + Self.reserve } }

  /// The server waits for the client of a connection: for a request, or for more of one.
  func waits(_ channel: any Channel) {
    let areTooMany = state.withLock { state in
      state.waiting[ObjectIdentifier(channel)] = Waiting(
        channel: channel, start: channel.eventLoop.now)
      return state.count > most && !state.isLookedAtLater
    }
    if areTooMany { makeRoom() }
  }

  /// The client of a connection waits for its answer, or the connection is closed.
  func waitsNoLonger(_ channel: any Channel) {
    state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Closes those that have waited for long, as many as there are too many, and looks again when
  /// the next of them has.
  ///
  /// - Complexity: O(connections · those closed), at the limit only.
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

/// Lets connections in as long as there is room.
struct ConnectionLimit: AvailableConnectionsDelegate {
  private let connections: OpenConnections

  init(_ connections: OpenConnections) {
    self.connections = connections
  }

  func connectionOpened() { connections.opened() }

  func connectionClosed() { connections.closed() }

  func isAcceptingNewConnections() -> Bool { connections.haveRoom }
}
