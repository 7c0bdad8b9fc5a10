import Foundation
import Nightly
import Pebbles
import PebblesAnalysis
import Testing

@Suite(.timeLimit(.minutes(5))) struct NightlyLoadTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "nightly-\(UUID().uuidString)")

  private func load(_ feed: LaunchFeed) async throws -> Report {
    try await NightlyLoad(feed, LaunchStore(folder: folder)).pond.run()
  }

  private func feed(_ count: Int, failing: Bool = false) -> LaunchFeed {
    LaunchFeed(pageCount: 2) { page in
      if failing { throw CancellationError() }
      return (0..<count).map { Launch(id: "\(page)-\($0)", name: "Starlink \($0)", date: "") }
    }
  }

  @Test func whatComesWithThisIsPublished() async throws {
    let report = try await load(LaunchFeed.bundled())
    defer { try? FileManager.default.removeItem(at: folder) }

    #expect(report.succeeded(.named("publish")))
    #expect(try LaunchStore(folder: folder).published()?.count == 50)
  }

  @Test func lossIsNotPublished() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await load(feed(3))
    let first = try LaunchStore(folder: folder).published()

    let report = try await load(feed(2))

    #expect(report.failed(.named("compare")))
    #expect(report.succeeded(.named("roll back")))
    #expect(report.unhandledFailures.isEmpty)
    #expect(report.missedGoal?.contains("it needs publish to succeed") == true)
    #expect(report.exitCode == 1)
    #expect(try LaunchStore(folder: folder).published() == first)
    #expect(first?.count == 6)
    // The folder of the first run, and the publication.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func aLoadThatIsCancelledLeavesNothingBehind() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (fetched, fetch) = AsyncStream.makeStream(of: Void.self)
    let feed = LaunchFeed(pageCount: 2) { page in
      guard page == 1 else { return [Launch(id: "1", name: "FalconSat", date: "")] }
      fetch.yield()
      try await Task.sleep(for: .seconds(3_600))
      return []
    }
    let run = try NightlyLoad(feed, LaunchStore(folder: folder)).pond.start()
    for await _ in fetched { break }
    run.cancel()

    let report = try await run.report

    #expect(report.shutdown?.failures.isEmpty == true)
    #expect(report.skipped(.named("roll back")))
    let left = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left?.isEmpty != false)
  }

  @Test func whatIsPublishedIsNotRemoved() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = LaunchStore(folder: folder)
    let run = RunIdentifier("17")
    let file = try store.store([1], count: 1, as: "launches", for: run)
    try store.publish(count: 1, of: run)

    try store.remove(file)

    #expect(try store.read(file, as: [Int].self) == [1])
  }

  @Test func noStepIsFasterThanThePace() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (pace, store) = (Duration.milliseconds(20), LaunchStore(folder: folder))

    let published = try await NightlyLoad(feed(3), store, pace: pace).pond.run()
    let rolledBack = try await NightlyLoad(feed(2), store, pace: pace).pond.run()

    #expect(published.succeeded(.named("publish")))
    #expect(rolledBack.succeeded(.named("roll back")))
    for record in [published, rolledBack].flatMap(\.records) {
      guard let duration = record.duration else { continue }
      // Half, because a sleep may be measured by another clock.
      #expect(duration >= pace / 2, "\(record.name)")
    }
  }

  @Test func itEndsWithExactlyOneOfBoth() throws {
    let load = NightlyLoad(feed(1), LaunchStore(folder: folder))
    let law = Law.exactlyOne(of: load.publish.completed, load.rollBack.completed)

    #expect(try load.pond.scenarios().check(law).verdict == .kept)
  }
}
