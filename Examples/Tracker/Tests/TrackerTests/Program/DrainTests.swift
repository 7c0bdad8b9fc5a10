import Foundation
import Testing

@testable import TrackerCore

/// Tests for the effect of SIGTERM on connected clients, with the real program.
@Suite(.serialized) struct DrainTests {
  let folder: Folder

  init() throws {
    folder = try Folder()
  }

  func tracker(delay: Int) async throws -> (RunningProgram, address: String) {
    let program = try RunningProgram(
      "tracker", ["--port", "0", "--database", folder.file("tracker.sqlite")],
      environment: ["TRACKER_DRAIN_DELAY_SECONDS": "\(delay)"])
    #expect(try await program.wrote(" at http://"), "\(program.output)\(program.error)")
    return (program, try #require(try await program.address()))
  }

  /// Checks that a shutdown loses no request on a connection in use. Each client repeats its
  /// request on one connection until an answer is marked as the last. A load balancer would then
  /// send the client to another server.
  @Test func noRequestOnAConnectionInUseIsLost() async throws {
    let (program, address) = try await tracker(delay: 2)
    let tally = LoadTests.Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let connection = try await RawConnection(to: address)
          var count = 0
          while !connection.text.contains("Connection: close") {
            try await connection.ask("GET", "/status")
            count += 1
            try await connection.heard("}", times: count)
            #expect(connection.text.components(separatedBy: " 200 OK").count == count + 1)
            tally.got(200)
          }
          #expect(connection.text.hasSuffix(#""}"#))
          try await connection.closed()
        }
      }
      while tally.all.byStatus[200, default: 0] < 200 { await Task.yield() }
      program.send(SIGTERM)
      try await group.waitForAll()
    }
    #expect(try await program.ended() == 0, "\(program.output)\(program.error)")
  }

  @Test func whileItDrainsItAnswersAndIsNotReady() async throws {
    let (program, address) = try await tracker(delay: 3_600)
    let kept = try await RawConnection(to: address)
    try await kept.ask("GET", "/health/live")
    try await kept.heard("200 OK")

    program.send(SIGTERM)
    #expect(try await program.wrote("the shutdown began"))
    let ready = try await RawConnection(to: address)
    try await ready.ask("GET", "/health/ready")
    try await ready.heard("shuttingDown")
    #expect(ready.text.hasPrefix("HTTP/1.1 503") && !ready.text.contains("online"))
    let status = try await RawConnection(to: address)
    try await status.ask("GET", "/status")
    try await status.heard(#"{"screen":"closing"}"#)
    try await status.heard("Connection: close")
    // All that had come together is answered, and the last of them says that it is.
    let request = "GET /launches?q=falconsat HTTP/1.1\r\nHost: tracker\r\n\r\n"
    try await kept.send(request + request + request)
    try await kept.closed()
    #expect(kept.text.components(separatedBy: "FalconSat").count >= 4)
    #expect(kept.text.components(separatedBy: "HTTP/1.1 200 OK").count == 5)
    #expect(kept.text.components(separatedBy: "Connection: close").count == 2)

    // Who is in a hurry says so a second time.
    program.send(SIGTERM)
    #expect(try await program.ended() == nil)
  }
}
