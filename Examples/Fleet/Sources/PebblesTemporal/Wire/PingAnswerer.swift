import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOHTTP2

/// A channel handler that answers the PING frames of the server before they reach the HTTP/2
/// handler.
///
/// Servers written in Go send a PING frame for nearly every request, to estimate the bandwidth.
/// swift-nio-http2 considers more than 200 control frames in 30 seconds an attack, and closes the
/// connection with all polls on it. The transport has no setting to change this limit. Answering
/// the frames here is safe: a frame and its answer both have 17 bytes, so a server that sends
/// frames faster than it reads the answers only slows itself down.
final class PingAnswerer: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Frame {
    static let headerLength = 9
    static let pingLength = 8
    static let pingType: UInt8 = 6
    static let acknowledgement: UInt8 = 1
  }

  /// The bytes of an incomplete frame header or PING frame that have been received so far.
  private var pending = ByteBuffer()

  /// The number of bytes still missing from the frame being passed on.
  private var rest = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var input = unwrapInboundIn(data)
    pending.writeBuffer(&input)
    var passed = context.channel.allocator.buffer(capacity: pending.readableBytes)
    var answers = context.channel.allocator.buffer(capacity: 0)
    while passFrame(to: &passed, answers: &answers) {}
    pending.discardReadBytes()
    if answers.readableBytes > 0 {
      context.writeAndFlush(wrapOutboundOut(answers), promise: nil)
    }
    if passed.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(passed)) }
  }

  /// Passes on a frame or a part of it, or answers a PING frame.
  ///
  /// - Returns: Whether the received bytes may contain further frames.
  private func passFrame(to passed: inout ByteBuffer, answers: inout ByteBuffer) -> Bool {
    if rest > 0 {
      guard var part = pending.readSlice(length: min(rest, pending.readableBytes)),
        part.readableBytes > 0
      else { return false }
      rest -= part.readableBytes
      passed.writeBuffer(&part)
      return true
    }
    guard let head = pending.getBytes(at: pending.readerIndex, length: Frame.headerLength) else {
      return false
    }
    let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
    let isPing = head[3] == Frame.pingType && head[4] & Frame.acknowledgement == 0
    guard isPing, length == Frame.pingLength else {
      rest = length
      guard var header = pending.readSlice(length: Frame.headerLength) else { return false }
      passed.writeBuffer(&header)
      return true
    }
    guard var ping = pending.readSlice(length: Frame.headerLength + Frame.pingLength) else {
      return false
    }
    ping.setInteger(Frame.acknowledgement, at: ping.readerIndex + 4)
    answers.writeBuffer(&ping)
    return true
  }

  /// Inserts a `PingAnswerer` directly before the HTTP/2 handler of a connection.
  static func install(on channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let http2 = try pipeline.handler(type: NIOHTTP2Handler.self)
      try pipeline.addHandler(PingAnswerer(), position: .before(http2))
    }
  }
}
