import AsyncHTTPClient
import NIOCore
import Testing

@testable import TrackerCore

/// Tests for the messages of errors that occur when a feed is read.
@Suite struct FeedErrorTests {
  func problem(
    at address: String, within limit: Duration = .seconds(600)
  ) async throws -> String? {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
      let error = await #expect(throws: FeedError.self) {
        try await FeedClient(client, base: address).launches(within: limit)
      }
      return error?.description
    }
  }

  @Test func aFeedWhereNobodyListensHasRefused() async throws {
    #expect(
      try await problem(at: "http://127.0.0.1:9")
        == "the feed at 127.0.0.1:9 refused the connection")
  }

  @Test func aHostThatIsNotKnownIsNamed() async throws {
    #expect(
      try await problem(at: "http://feed.invalid:80/x")
        == "the feed at feed.invalid:80 has no address: the host \"feed.invalid\" is not known")
  }

  @Test func aFeedThatSaysNothingHasATime() async throws {
    try await RawServer.using { _ in
    } test: { address in
      let problem = try await problem(at: address, within: .milliseconds(200))
      #expect(problem == "the feed at \(address.dropFirst(7)) did not answer within 0.2 seconds")
    }
  }

  /// Checks the error for an answer that begins but is never completed.
  @Test func aFeedThatDripsHasNotAnsweredInFull() async throws {
    try await RawServer.using { channel in
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n["
      channel.writeAndFlush(ByteBuffer(string: head), promise: nil)
    } test: { address in
      let problem = try await problem(at: address, within: .milliseconds(200))
      let place = address.dropFirst(7)
      #expect(problem == "the feed at \(place) did not answer in full within 0.2 seconds")
    }
  }

  @Test func aFeedThatHangsUpHasNotAnswered() async throws {
    try await RawServer.using {
      $0.close(promise: nil)
    } test: { address in
      let problem = try #require(try await problem(at: address))
      #expect(
        problem.hasSuffix("closed the connection before it had answered")
          || problem.hasSuffix("reset the connection"), "\(problem)")
    }
  }

  /// Checks the error for a connection that the feed has closed before receiving the request.
  @Test func aConnectionThatIsFoundClosedWasClosed() {
    let error = FeedError(
      ChannelError.ioOnClosedChannel, at: "http://feed:80/x", within: .seconds(1))

    #expect(
      error.description == "the feed at feed:80 closed the connection before it had answered")
  }

  /// Checks the error for a feed that answers a TLS connection without encryption.
  @Test func aFeedThatIsNotEncryptedIsNotTrusted() async throws {
    try await RawServer.using { channel in
      channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"), promise: nil)
    } test: { address in
      let problem = try await problem(at: "https" + address.dropFirst(4))
      #expect(problem?.contains("(TLS)") == true, "\(problem as Any)")
    }
  }
}
