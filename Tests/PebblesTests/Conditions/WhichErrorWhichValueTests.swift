import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

private enum StoreError: Error, Equatable {
  case locked, full
}

private enum Side: CaseIterable { case heads, tails }

private enum Fit: CaseIterable { case same, older, newer }

private struct Settings {
  let isBeta: Bool
  let isGerman: Bool
}

/// Tests that execute the examples of the article *Which error, which value*.
@Suite(.watched) struct WhichErrorWhichValueTests {
  private let pond = Pond("boot")

  @Test func theErrorScreenIsTheRightOne() async throws {
    let database = pond.pebble("database") { throw StoreError.locked }
    let locked = database.failed("locked") { $0 as? StoreError == .locked }
    let showUnlock = pond.pebble("showUnlock", when: locked) {}
    let showBroken = pond.pebble("showBroken", when: database.failed && !locked) {}

    let report = try await pond.run()

    #expect(report.ran(showUnlock))
    let sentence = try #require(report.record(of: showBroken)?.explanation)
    #expect(try Self.article().contains("\n\(sentence)\n"), "\(sentence)")
  }

  @Test func oneOfBothRuns() async throws {
    let flip = pond.pebble("flip") { Side.allCases.randomElement() ?? .heads }
    let won = pond.pebble("won", when: flip.is(.heads)) {}
    let lost = pond.pebble("lost", when: flip.is(.tails)) {}

    for _ in 0..<20 {
      let report = try await pond.run()
      #expect(report.ran(won) != report.ran(lost))
      #expect(report.ran(won) == (report[flip] == .heads))
    }
  }

  @Test(arguments: [(1, 1), (1, 2), (2, 1)])
  func twoOutputsMakeOne(local version: Int, remote otherVersion: Int) async throws {
    let local = pond.pebble("local") { version }
    let remote = pond.pebble("remote") { otherVersion }
    let fit = pond.pebble("fit", needs: local, remote) { local, remote in
      local == remote ? Fit.same : local < remote ? .older : .newer
    }
    let migrate = pond.pebble("migrate", when: fit.is(.older)) {}
    let refuse = pond.pebble("refuse", when: fit.is(.newer)) {}

    let report = try await pond.run()

    #expect(report.ran(migrate) == (version < otherVersion))
    #expect(report.ran(refuse) == (version > otherVersion))
  }

  @Test func namedCasesDoNotExcludeEachOther() async throws {
    let settings = pond.pebble("settings") { Settings(isBeta: true, isGerman: true) }
    let isBeta = settings.succeeded("beta") { $0.isBeta }
    let isGerman = settings.succeeded("german") { $0.isGerman }
    let both = pond.pebble("both", when: isBeta && isGerman) {}

    let report = try await pond.run()

    #expect(report.ran(both))
    #expect(report.record(of: settings)?.cases == [.succeeded("beta"), .succeeded("german")])
  }

  @Test func aFlagOfTheWorldOutsideIsAPebble() async throws {
    let isOnline = pond.pebble("isOnline") { false }
    let sync = pond.pebble("sync", when: isOnline.is(true)) {}
    let showOffline = pond.pebble("showOffline", when: isOnline.is(false)) {}

    let report = try await pond.run()

    #expect(!report.ran(sync))
    #expect(report.ran(showOffline))
  }

  private static func article() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "Sources/Pebbles/Pebbles.docc/WhichErrorWhichValue.md"),
      encoding: .utf8)
  }
}
