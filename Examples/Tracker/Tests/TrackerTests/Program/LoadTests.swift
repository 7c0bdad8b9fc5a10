import AsyncHTTPClient
import Foundation
import Pebbles
import Synchronization
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests with many visitors who use real connections while the tracker boots, serves and shuts
/// down.
@Suite(.serialized) struct LoadTests {
  static let requests = 10_000
  static let visitors = 50

  /// A count of the answers received by all visitors together.
  final class Tally: Sendable {
    private let answers = Mutex(Answers())

    var all: Answers { answers.withLock { $0 } }

    func next() -> Int {
      answers.withLock { answers in
        answers.sent += 1
        return answers.sent
      }
    }

    func got(_ status: UInt?) {
      answers.withLock { answers in
        if let status {
          answers.byStatus[status, default: 0] += 1
        } else {
          answers.withoutAnswer += 1
        }
      }
    }
  }

  struct Answers: Sendable {
    var sent = 0
    var byStatus: [UInt: Int] = [:]

    /// The number of requests that found no connection, or whose connection ended without an
    /// answer.
    var withoutAnswer = 0
  }

  /// Checks that every request is answered. One visitor stays until all others have their answers,
  /// so the server keeps running until then, and a request without an answer has been lost.
  @Test func noRequestIsLost() async throws {
    let folder = try Folder()
    let loaded = Gate()
    let feed = LaunchFeed(launches: .late(loaded, LaunchFeed.launches(1...100)))
    let (answers, visits, report) = try await feed.serve { address in
      var settings = Settings()
      settings.port = 0
      settings.database = folder.file("tracker.sqlite")
      settings.feed = address
      settings.people = 100
      let boot = Boot(limits: .patient, logger: quiet, around: untouched) { [settings] in settings }
      let run = try boot.pond.start()
      let port = try await boot.port(in: run)
      let tally = Tally()

      try await HTTPClient.using { client in
        await Self.visit(port, client, tally, half: 1) { loaded.open() }
        while !boot.site.isOpen { await Task.yield() }

        let (inside, leave) = (Gate(), Gate())
        async let last: Void? = boot.site.admit { _ in
          inside.open()
          await leave.passed()
        }
        await inside.passed()
        await Self.visit(port, client, tally, half: 2) {
          Task { try await run.shutdown() }
        }
        leave.open()
        _ = try await last
      }
      return (tally.all, boot.site.visits, try await run.reportAfterShutdown())
    }

    #expect(answers.withoutAnswer == 0)
    // A handler that meets a closed database answers 500.
    #expect(Set(answers.byStatus.keys) == [200, 503], "\(answers)")
    #expect(answers.byStatus[200, default: 0] == visits.admitted - 1)
    #expect(answers.byStatus[503, default: 0] == visits.turnedAway)
    #expect(visits.admitted == visits.answered)
    #expect(visits.admitted + visits.turnedAway == Self.requests + 1)
    #expect(report.exitCode == 0, "\(report)\(report.shutdown.map { "\($0)" } ?? "")")
  }

  /// Sends one half of all requests, and calls a closure in the middle of that half.
  static func visit(
    _ port: Int, _ client: HTTPClient, _ tally: Tally, half: Int,
    halfway: @escaping @Sendable () -> Void
  ) async {
    let end = requests / 2 * half
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<visitors {
        group.addTask {
          for _ in 0..<requests / 2 / visitors {
            if tally.next() == end - requests / 4 { halfway() }
            await visit(port, client, tally)
          }
        }
      }
    }
  }

  static func visit(_ port: Int, _ client: HTTPClient, _ tally: Tally) async {
    do {
      let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/launches")
      let response = try await client.execute(request, timeout: .seconds(60))
      _ = try await response.body.collect(upTo: 1 << 20)
      tally.got(response.status.code)
    } catch {
      tally.got(nil)
    }
  }
}
