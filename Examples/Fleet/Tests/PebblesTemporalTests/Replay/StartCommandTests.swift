import Pebbles
import PebblesAnalysis
import Testing

@testable import PebblesTemporal
@testable import fleet

/// Tests for what `fleet start` prints at the end of a run.
@Suite struct StartCommandTests {
  @Test func whatTheRunCancelledIsNotSaidToBeHandled() throws {
    let pond = Pond("nightly")
    pond.pebble("fetch") {}
    pond.pebble("store") {}
    let history = try HistoryMaker(pond)
    try history.decide()
    try history.requestCancel()
    try history.decide()
    try history.cancelled("fetch")
    try history.cancelled("store")
    let run = try #require(history.replay.recorded())

    let lines = try StartCommand.lines(about: run)

    #expect(lines.first == "  cancelled with the run: fetch, store: it was cancelled")
    #expect(!lines.contains { $0.contains("handled") })
    #expect(try run.exitCode == 0)
  }
}
