import NIOCore
import NIOEmbedded
import Testing

@testable import PebblesTemporal

@Suite struct PingAnswererTests {
  private static func frame(
    _ type: UInt8, flags: UInt8 = 0, length: Int? = nil, _ payload: [UInt8]
  ) -> [UInt8] {
    let length = length ?? payload.count
    return [
      UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags, 0,
      0, 0, 0,
    ] + payload
  }

  private static let ping = frame(6, [1, 2, 3, 4, 5, 6, 7, 8])
  private static let answer = frame(6, flags: 1, [1, 2, 3, 4, 5, 6, 7, 8])
  private static let data = frame(0, Array(repeating: 6, count: 300))
  private static let settings = frame(4, [])

  private let channel = EmbeddedChannel(handler: PingAnswerer())

  private func passed() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let part = try channel.readInbound(as: ByteBuffer.self) {
      bytes += part.readableBytesView
    }
    return bytes
  }

  private func answered() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let part = try channel.readOutbound(as: ByteBuffer.self) {
      bytes += part.readableBytesView
    }
    return bytes
  }

  @Test(arguments: [1, 2, 3, 8, 9, 10, 17, 18, 100, 10_000])
  func pingsAreAnsweredAndAllElseIsPassedOnHoweverItComes(_ size: Int) throws {
    let input = Self.settings + Self.ping + Self.data + Self.ping + Self.ping + Self.data

    for start in stride(from: 0, to: input.count, by: size) {
      let part = input[start..<min(start + size, input.count)]
      try channel.writeInbound(ByteBuffer(bytes: part))
    }

    #expect(try passed() == Self.settings + Self.data + Self.data)
    #expect(try answered() == Self.answer + Self.answer + Self.answer)
  }

  @Test func answersToOurOwnPingsArePassedOn() throws {
    try channel.writeInbound(ByteBuffer(bytes: Self.answer))

    #expect(try passed() == Self.answer)
    #expect(try answered() == [])
  }

  @Test func aPingOfAnotherLengthIsLeftToTheProtocol() throws {
    let wrong = Self.frame(6, [1, 2, 3])
    try channel.writeInbound(ByteBuffer(bytes: wrong + Self.ping))

    #expect(try passed() == wrong)
    #expect(try answered() == Self.answer)
  }

  @Test func aLargeFrameIsPassedOnAsItComes() throws {
    let header = Self.frame(0, length: 0xFF_FFFF, [])
    try channel.writeInbound(ByteBuffer(bytes: header))
    #expect(try passed() == header)
    // What looks like a PING inside of it is none.
    try channel.writeInbound(ByteBuffer(bytes: Self.ping))

    #expect(try passed() == Self.ping)
    #expect(try answered() == [])
  }
}
