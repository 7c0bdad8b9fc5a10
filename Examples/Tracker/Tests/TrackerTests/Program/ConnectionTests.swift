import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import TrackerCore

/// Tests for unusual client connections, with the real program.
@Suite(.serialized) struct ConnectionTests {
  let folder: Folder

  init() throws {
    folder = try Folder()
  }

  func tracker(
    _ environment: [String: String], files: Int? = nil
  ) async throws -> (RunningProgram, address: String) {
    let program = try RunningProgram(
      "tracker", ["--port", "0", "--database", folder.file("tracker.sqlite")],
      environment: environment, files: files)
    #expect(try await program.wrote(" at http://"), "\(program.output)\(program.error)")
    return (program, try #require(try await program.address()))
  }

  func get(
    _ address: String, _ method: HTTPMethod = .GET
  ) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: address)
    request.method = method
    // What it says it takes, the client decompresses, or tries to.
    request.headers.add(name: "Accept-Encoding", value: "identity")
    return try await HTTPClient.shared.execute(request, timeout: .seconds(600))
  }

  func end(_ program: RunningProgram) async throws {
    program.send(SIGTERM)
    #expect(try await program.ended() == 0, "\(program.output)\(program.error)")
  }

  /// Checks more idle connections than the program's limit of open files allows.
  @Test func connectionsThatAskNothingLockNobodyOut() async throws {
    let (program, address) = try await tracker(["TRACKER_HTTP_IDLE_SECONDS": "1"], files: 160)
    var connections: [RawConnection] = []
    for _ in 0..<200 { connections.append(try await RawConnection(to: address)) }

    #expect(try await get(address + "/launches?q=falconsat").status == .ok)

    for connection in connections { try await connection.closed() }
    try await end(program)
  }

  @Test func aRequestThatDoesNotComeOnIsGivenUpAndAnAnswerUnderWayIsNot() async throws {
    let (program, address) = try await tracker(["TRACKER_HTTP_IDLE_SECONDS": "1"])
    let watching = try await RawConnection(to: address)
    try await watching.ask("GET", "/boot/events")
    try await watching.heard("event: over")

    let halfHead = try await RawConnection(to: address)
    try await halfHead.send("GET /launches?q=fal")
    try await halfHead.closed()
    let halfBody = try await RawConnection(to: address)
    try await halfBody.ask("POST", "/people/search", more: "Content-Length: 100\r\n")
    try await halfBody.send("{")
    try await halfBody.closed()

    // Twice as long as a connection that is idle has, on which nothing was said.
    #expect(watching.isOpen)
    try await end(program)
    try await watching.closed()
  }

  @Test func ofTooManyConnectionsTheOneIsClosedThatWaitsForLongest() async throws {
    let (program, address) = try await tracker(
      ["TRACKER_HTTP_CONNECTIONS": "2", "TRACKER_HTTP_IDLE_SECONDS": "3600"])
    // An answer under way is kept, however old it is; neither is one that only began to ask.
    let watching = try await RawConnection(to: address)
    try await watching.ask("GET", "/boot/events")
    try await watching.heard("event: over")
    let halfBody = try await RawConnection(to: address)
    try await halfBody.ask("POST", "/people/search", more: "Content-Length: 100\r\n")

    let third = try await RawConnection(to: address)
    try await third.ask("GET", "/boot/events")
    try await third.heard("event: over")
    try await halfBody.closed()

    #expect(watching.isOpen && third.isOpen)
    #expect(program.error.components(separatedBy: "more than 2 connections: ").count == 2)
    try await end(program)
  }

  /// Checks that a new client waits if every other connection is in the middle of an answer. Such
  /// connections cannot be closed to make room.
  @Test func whoComesWhenAllAreAnsweredWaitsUntilOneIs() async throws {
    let (program, address) = try await tracker(
      ["TRACKER_HTTP_CONNECTIONS": "1", "TRACKER_HTTP_IDLE_SECONDS": "3600"])
    var watching: [RawConnection] = []
    for _ in 0...OpenConnections.reserve {
      let connection = try await RawConnection(to: address)
      try await connection.ask("GET", "/boot/events")
      try await connection.heard("event: over")
      watching.append(connection)
    }
    let last = try await RawConnection(to: address)
    try await last.ask("GET", "/health/live")

    try await watching[0].close()

    try await last.heard("200 OK")
    #expect(watching[1].isOpen)
    try await end(program)
  }

  /// Checks that no request is lost if there are more clients than connections. Each client repeats
  /// its request, and reconnects after the last answer on its connection.
  @Test func moreClientsThanThereMayBeConnectionsLoseNoRequest() async throws {
    let (program, address) = try await tracker(["TRACKER_HTTP_CONNECTIONS": "10"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<25 {
        group.addTask {
          var connection = try await RawConnection(to: address)
          var count = 0
          for _ in 0..<12 {
            try await connection.ask("GET", "/status")
            count += 1
            try await connection.heard("}", times: count)
            if connection.text.contains("Connection: close") {
              try await connection.closed()
              connection = try await RawConnection(to: address)
              count = 0
            }
          }
          try? await connection.close()
        }
      }
      try await group.waitForAll()
    }
    #expect(program.error.components(separatedBy: "more than 10 connections: ").count == 2)
    try await end(program)
  }

  @Test func moreConnectionsThatAskNothingThanThereMayBeDoNotHoldUpHealth() async throws {
    let (program, address) = try await tracker(
      ["TRACKER_HTTP_IDLE_SECONDS": "3600", "TRACKER_HTTP_CONNECTIONS": "400"])
    // The process of the tests may not have more files open than that.
    var connections: [RawConnection] = []
    for _ in 0..<450 { connections.append(try await RawConnection(to: address)) }

    #expect(try await get(address + "/health/ready").status == .ok)
    #expect(try await get(address + "/launches").status == .ok)

    for connection in connections { try? await connection.close() }
    try await end(program)
  }

  @Test func whatCanBeReadHasAHead() async throws {
    let (program, address) = try await tracker([:])
    // Without Home, which says more a moment later: its sections come.
    for path in [
      "/launches", "/search", "/home", "/health/live", "/health/ready", "/boot", "/boot.dot",
      "/boot.json",
    ] {
      let whole = try await get(address + path)
      let length = try await whole.body.collect(upTo: 1 << 22).readableBytes
      let head = try await get(address + path, .HEAD)

      #expect(head.status == .ok && whole.status == .ok, "\(path)")
      #expect(head.headers["content-length"] == ["\(length)"], "\(path)")
      #expect(head.headers["content-type"] == whole.headers["content-type"], "\(path)")
      #expect(try await head.body.collect(upTo: 1 << 22).readableBytes == 0, "\(path)")
    }
    #expect(try await get(address + "/none", .HEAD).status == .notFound)
    #expect(try await get(address + "/boot/events", .HEAD).status == .methodNotAllowed)
    try await end(program)
  }

  /// Checks that the answer to a refused HEAD request has no body, because the client would read a
  /// body as the beginning of the next answer.
  @Test func aRefusalOfAHeadHasNoBody() async throws {
    let (program, address) = try await tracker([:])
    let connection = try await RawConnection(to: address)
    try await connection.ask("HEAD", "/launches?page=none")
    try await connection.ask("GET", "/health/live", more: "Connection: close\r\n")
    try await connection.closed()

    #expect(connection.text.hasPrefix("HTTP/1.1 400"), "\(connection.text)")
    #expect(connection.text.contains("\r\n\r\nHTTP/1.1 200"), "\(connection.text)")
    try await end(program)
  }
}
