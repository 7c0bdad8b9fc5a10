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
    #expect(report.exitCode == 0)
    #expect(try LaunchStore(folder: folder).published() == first)
    #expect(first?.count == 6)
    // The folder of the first run, and the publication.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func itEndsWithExactlyOneOfBoth() throws {
    let load = NightlyLoad(feed(1), LaunchStore(folder: folder))
    let law = Law.exactlyOne(of: load.publish.completed, load.rollBack.completed)

    #expect(try load.pond.scenarios().check(law).verdict == .kept)
  }
}
