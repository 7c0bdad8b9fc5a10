import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The life of one connection: whether the server waits for the client or the client for the
/// server, and which answer is the last.
///
/// ```
/// waiting ──head──▶ reading ──end──▶ answering ──last answer──▶ waiting
///                      └─ more of the body may wait, too            └─ closing ─▶ closed
/// ```
///
/// An answer that begins while the site is closing, or there are too many connections, and is that
/// to the last request that has come, says so: `Connection: close`. What the client sends after
/// that is not looked at, as it knows by then (RFC 9112, 9.6); requests that had come before, one
/// behind the other, are all answered.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: OpenConnections
  private let isClosing: @Sendable () -> Bool

  /// Requests that have begun to come and are not answered.
  private var underWay = 0
  private var isReading = false
  private var isLast = false

  init(_ connections: OpenConnections, isClosing: @escaping @Sendable () -> Bool) {
    self.connections = connections
    self.isClosing = isClosing
  }

  func handlerAdded(context: ChannelHandlerContext) {
    connections.waits(context.channel)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    connections.waitsNoLonger(context.channel)
  }

  func channelInactive(context: ChannelHandlerContext) {
    connections.waitsNoLonger(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isLast { return }
    switch unwrapInboundIn(data) {
    case .head:
      underWay += 1
      isReading = true
      connections.waitsNoLonger(context.channel)
    case .body: break
    case .end: isReading = false
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // A body that does not come on keeps out nobody.
    if isReading { connections.waits(context.channel) }
    context.fireChannelReadComplete()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.kind != .informational:
      if underWay <= 1, isClosing() || connections.areTooMany {
        isLast = true
        head.headerFields[.connection] = "close"
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .head, .body: context.write(data, promise: promise)
    case .end:
      underWay -= 1
      if isLast {
        end(context, data, promise)
      } else {
        if underWay == 0 { connections.waits(context.channel) }
        context.write(data, promise: promise)
      }
    }
  }

  /// Only the own half: to close both while something of the client is still on its way would make
  /// the system take back what it has not read yet.
  private func end(
    _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
  ) {
    connections.waits(context.channel)
    context.writeAndFlush(data, promise: promise)
    context.close(mode: .output, promise: nil)
  }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}
