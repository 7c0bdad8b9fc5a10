import Foundation
import Pebbles
import PebblesTesting
import Testing

@testable import TrackerCore

@Suite struct LossTests {
  let date = Date(timeIntervalSince1970: 1_795_680_720)  // 2026-11-26, 08:12
  let cause = "the feed at 127.0.0.1:9 refused the connection"

  @Test func theRootCauseComesFirstAndThenWhatIsLeft() {
    let loss = Loss(cause: cause, left: .launches(of: date))

    #expect(
      loss.sentence(at: date)
        == "The feed at 127.0.0.1:9 refused the connection; these launches are of 08:12 UTC.")
    let tomorrow = date.addingTimeInterval(86_400)
    #expect(
      loss.clause(at: tomorrow) == cause + "; these launches are of 2026-11-26, 08:12 UTC")
    #expect(Loss(cause: cause, left: .launches(of: nil)).clause() == cause)
    #expect(
      Loss(cause: cause, left: .nothing).clause()
        == cause + "; no launches are there from earlier")
  }

  @Test func theLinkLeadsToTheRoot() {
    let loss = Loss(cause: cause, pebbles: ["fetch \"x\"&<", "stale"])

    #expect(loss.address == "/boot#pebble=fetch%20%22x%22%26%3C")
    #expect(Loss(cause: cause).address == "/boot")
    let later = Loss(cause: cause, pebbles: ["fetch", "stale"], page: Refresh.page)
    #expect(later.address == "/boot/refresh#pebble=fetch")
  }

  struct Refused: Error, CustomStringConvertible {
    let description = "refused"
  }

  /// Checks that the root cause is found by following each skipped pebble to the pebble that
  /// decided its condition.
  @Test func theRootIsFoundThroughAllThatWasSkipped() async throws {
    let pond = Pond("boot")
    let fetch = pond.pebble("fetch") { throw Refused() }
    let other = pond.pebble("other") {}
    let store = pond.pebble("store", when: fetch.succeeded && other.succeeded) {}
    let index = pond.pebble("index", when: store.succeeded) {}
    let report = try await pond.run()

    let cause = RootCause(of: [other, index], in: report)
    #expect(cause?.error == "refused" && cause?.pebbles == ["fetch", "store", "index"])
    #expect(RootCause(of: [other], in: report) == nil)
    let run = try pond.start()
    _ = try await run.report
    #expect(RootCause(of: [other, index], in: run.status) == cause)
  }

  /// Checks that pebbles that wait for each other have no root cause, and that the search for it
  /// ends.
  @Test func aStallHasNoRoot() async throws {
    let pond = Pond("boot")
    let one = pond.pebble("one") {}
    let two = pond.pebble("two", when: one.succeeded) {}
    one.ready = two.succeeded

    let report = try await pond.run()
    #expect(RootCause(of: [two], in: report) == nil)
  }
}
