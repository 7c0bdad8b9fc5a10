import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A handler that tracks whether a connection waits for its client or for the server, and which
/// answer is the last.
///
/// ```
/// waiting ──head──▶ reading ──end──▶ answering ──last answer──▶ waiting
///                      └─ more of the body may wait, too            └─ closing ─▶ closed
/// ```
///
/// If the site is closing, or there are too many connections, the answer to the last received
/// request has the header `Connection: close`. Later data from the client is ignored, because that
/// answer tells the client that the connection is closed (RFC 9112, 9.6). All pipelined requests
/// received before that answer was sent are answered.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: OpenConnections
  private let isClosing: @Sendable () -> Bool

  /// The number of requests that have started to arrive and have not been answered yet.
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
    // A request whose body stalls counts as waiting, so that it keeps nobody out.
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

  /// Sends the last data, and closes only the server's half of the connection. If both halves were
  /// closed while the client is still sending data, the system would reset the connection and drop
  /// unread data.
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
