import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A connection that sends only the bytes that a test passes to it.
struct RawConnection: Sendable {
  private let channel: any Channel
  private let ear: Ear

  /// Connects to a server.
  ///
  /// - Parameter address: The address that the program prints, such as `http://127.0.0.1:8080`.
  /// - Throws: The system's error.
  init(to address: String) async throws {
    let parts = address.split(separator: ":")
    let port = try #require(parts.last.flatMap { Int($0) })
    let ear = Ear()
    self.ear = ear
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { $0.pipeline.addHandler(ear) }
      .connect(host: "127.0.0.1", port: port).get()
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(channel.allocator.buffer(string: text)).get()
  }

  /// Sends a request without a body.
  func ask(_ method: String, _ path: String, more: String = "") async throws {
    try await send("\(method) \(path) HTTP/1.1\r\nHost: tracker\r\n\(more)\r\n")
  }

  /// The text received so far.
  var text: String { ear.text.withLock { $0 } }

  /// Waits until the words have been received `times` times, or the other end has closed the
  /// connection.
  func heard(_ words: String, times: Int = 1) async throws {
    while channel.isActive, text.components(separatedBy: words).count <= times {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(text.components(separatedBy: words).count > times, "\(text)")
  }

  var isOpen: Bool { channel.isActive }

  /// Waits until the connection is closed.
  func closed() async throws { try await channel.closeFuture.get() }

  func close() async throws { try await channel.close() }
}

private final class Ear: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  let text = Mutex("")

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let heard = String(buffer: unwrapInboundIn(data))
    text.withLock { $0 += heard }
  }
}
