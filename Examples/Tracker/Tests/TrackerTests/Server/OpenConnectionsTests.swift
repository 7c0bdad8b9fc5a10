import NIOCore
import NIOEmbedded
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for closing connections when there are too many, with a clock that the test advances.
@Suite struct OpenConnectionsTests {
  let loop = NIOAsyncTestingEventLoop()
  let records = LogRecords()

  func connected(to connections: OpenConnections) async throws -> NIOAsyncTestingChannel {
    let channel = NIOAsyncTestingChannel(loop: loop)
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/none"))
    connections.opened()
    connections.waits(channel)
    return channel
  }

  @Test func whoHasJustComeHasASecondToAsk() async throws {
    let connections = OpenConnections(atMost: 1, logger: records.logger)
    let first = try await connected(to: connections)
    #expect(!connections.areTooMany && records.all.isEmpty)
    await loop.advanceTime(by: .milliseconds(1))

    let second = try await connected(to: connections)
    #expect(connections.areTooMany && connections.haveRoom)
    await loop.advanceTime(by: .milliseconds(998))
    #expect(first.isActive && second.isActive)

    await loop.advanceTime(by: .milliseconds(1))
    #expect(!first.isActive && second.isActive)
    connections.closed()
    await loop.advanceTime(by: .hours(1))
    #expect(second.isActive && !connections.areTooMany)
    #expect(records.all.count == 1)
  }

  @Test func whoIsAnsweredIsNotClosed() async throws {
    let connections = OpenConnections(atMost: 1, logger: records.logger)
    let first = try await connected(to: connections)
    let second = try await connected(to: connections)
    connections.waitsNoLonger(first)

    await loop.advanceTime(by: .seconds(1))

    #expect(first.isActive && !second.isActive)
  }

  @Test func whereAllAreAnsweredWhoComesWaits() async throws {
    let connections = OpenConnections(atMost: 1, logger: records.logger)
    for _ in 0...OpenConnections.reserve {
      #expect(connections.haveRoom)
      connections.waitsNoLonger(try await connected(to: connections))
    }
    await loop.advanceTime(by: .hours(1))

    #expect(!connections.haveRoom)
    connections.closed()
    #expect(connections.haveRoom)
    #expect(records.all.count == 1)
  }
}
