import AsyncHTTPClient
import Foundation
import Pebbles
import Synchronization
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Many visitors, while the tracker boots, serves and shuts down, over real connections.
@Suite(.serialized) struct LoadTests {
  static let requests = 10_000
  static let visitors = 50

  /// What visitors got.
  struct Answers: Sendable {
    var sent = 0
    var byStatus: [UInt: Int] = [:]

    /// No connection, or one that ended without an answer.
    var withoutAnswer = 0
  }

  @Test func noRequestThatWasLetInIsLost() async throws {
    let folder = try Folder()
    let loaded = Gate()
    let feed = LaunchFeed(launches: .late(loaded, LaunchFeed.launches(1...100)))
    let (answers, visits, report) = try await feed.serve { address in
      var settings = Settings()
      settings.port = 0
      settings.database = folder.file("tracker.sqlite")
      settings.feed = address
      let boot = Boot(limits: Limits(), logger: quiet, around: untouched) { [settings] in settings }
      let run = try boot.pond.start()
      let port = try await Self.port(of: boot, in: run)

      let answers = Mutex(Answers())
      let client = HTTPClient()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<Self.visitors {
          group.addTask {
            while true {
              let number = answers.withLock { answers in
                answers.sent += 1
                return answers.sent
              }
              guard number <= Self.requests else { return }
              // A third comes during the boot, a third afterwards, a third during the shutdown.
              if number == Self.requests / 3 { loaded.open() }
              if number == Self.requests * 2 / 3 {
                Task.detached { try await run.shutdown(deadline: .seconds(60)) }
              }
              await Self.visit(port, client, answers)
            }
          }
        }
      }
      let report = try await run.reportAfterShutdown()
      try await client.shutdown()
      return (answers.withLock { $0 }, boot.site.visits, report)
    }

    #expect(visits.admitted == visits.answered)
    #expect(answers.byStatus[200, default: 0] == visits.admitted)
    #expect(answers.byStatus[503, default: 0] == visits.turnedAway)
    // A handler that meets a closed database answers 500.
    #expect(Set(answers.byStatus.keys).isSubset(of: [200, 503]), "\(answers)")
    #expect(visits.admitted > 0 && visits.turnedAway > 0, "\(answers)")
    let total = answers.byStatus.values.reduce(answers.withoutAnswer, +)
    #expect(total == Self.requests)
    #expect(report.exitCode == 0, "\(report)\(report.shutdown.map { "\($0)" } ?? "")")
  }

  /// The server listens long before the boot is over.
  static func port(of boot: Boot, in run: Run) async throws -> Int {
    while boot.site.port == nil, run.status.phase == .booting { await Task.yield() }
    return try #require(boot.site.port)
  }

  static func visit(
    _ port: Int, _ client: HTTPClient, _ answers: borrowing Mutex<Answers>
  ) async {
    do {
      let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/launches")
      let response = try await client.execute(request, timeout: .seconds(60))
      _ = try await response.body.collect(upTo: 1 << 20)
      answers.withLock { $0.byStatus[response.status.code, default: 0] += 1 }
    } catch {
      answers.withLock { $0.withoutAnswer += 1 }
    }
  }
}
