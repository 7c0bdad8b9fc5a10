import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import TrackerTestSupport

@testable import TrackerCore

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A real feed on a free port of the loopback address, with answers that a test chooses.
struct LaunchFeed: Sendable {
  enum Answer: Sendable {
    case text(String)
    case status(HTTPResponse.Status)
    case moved(to: String)

    /// An answer with the given body, which is held back until the gate opens.
    case late(Gate, String)
  }

  var launches = Answer.text(Self.launches(1...20))
  var cores = Answer.text(Self.cores(1...5))

  /// Serves the feed while a body runs.
  func serve<Value: Sendable>(
    _ body: @escaping @Sendable (_ address: String) async throws -> Value
  ) async throws -> Value {
    let router = Router()
    let gates = [launches, cores].compactMap {
      if case .late(let gate, _) = $0 { gate } else { nil }
    }
    router.get("/v4/launches") { [launches] _, _ in try await launches.response }
    router.get("/v4/cores") { [cores] _, _ in try await cores.response }
    let application = Application(router: router, logger: quiet)
    return try await application.test(.live) { client in
      // The server waits for what it has not answered.
      defer { for gate in gates { gate.open() } }
      return try await body("http://127.0.0.1:\(client.port ?? 0)")
    }
  }

  static func launches(_ numbers: ClosedRange<Int>) -> String {
    let rows = numbers.map { number in
      """
      {"id": "launch-\(number)", "flight_number": \(number), "name": "Launch \(number)", \
      "details": null, "date_unix": \(1_143_239_400 + number), "success": true, \
      "upcoming": false, "rocket": "falcon"}
      """
    }
    return "[" + rows.joined(separator: ",\n") + "]"
  }

  static func cores(_ numbers: ClosedRange<Int>) -> String {
    let rows = numbers.map { number in
      """
      {"id": "core-\(number)", "serial": "B\(number)", "status": "active", "reuse_count": 1}
      """
    }
    return "[" + rows.joined(separator: ",\n") + "]"
  }
}

extension LaunchFeed.Answer {
  fileprivate var response: Response {
    get async throws {
      switch self {
      case .text(let text): return Response(text)
      case .status(let status): return Response(status: status)
      case .moved(let address): return Response(status: .found, headers: [.location: address])
      case .late(let gate, let text):
        await gate.passed()
        return Response(text)
      }
    }
  }
}

extension Response {
  fileprivate init(_ text: String) {
    self.init(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
