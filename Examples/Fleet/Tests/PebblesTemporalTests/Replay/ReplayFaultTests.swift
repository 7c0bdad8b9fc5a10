import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for histories that do not match their pond, and for invalid inputs.
@Suite struct ReplayFaultTests {
  private func started() throws -> HistoryMaker {
    let pond = Pond("nightly")
    let fetch = pond.pebble("fetch") { 1 }
    pond.pebble("store", needs: fetch) { _ in }
    let history = try HistoryMaker(pond)
    try history.decide()
    return history
  }

  private func problem(_ call: () throws -> Void) -> String? {
    do { try call() } catch { return "\(error)" }
    return nil
  }

  @Test func aPebbleThatThePondDoesNotHaveIsNamed() throws {
    let history = try started()

    #expect(
      problem {
        try history.note { $0.activityTaskScheduledEventAttributes.activityID = "download" }
      } == "the pond has no pebble \"download\"")
  }

  @Test func aNameThatTheServerDoesNotTakeIsRefused() throws {
    let pond = Pond("names")
    pond.pebble(String(repeating: "x", count: 1_000)) {}
    #expect(problem { _ = try RunInput(pond.model(), TemporalRunOptions()) } == nil)
    pond.pebble(String(repeating: "y", count: 1_001)) {}
    pond.pebble(String(repeating: "z", count: 989), teardown: {}) {}

    let told = problem { _ = try RunInput(pond.model(), TemporalRunOptions()) }
    #expect(told?.contains("has 1001 bytes, but the server takes 1000") == true)
    #expect(told?.contains("has 989 bytes, but the server takes 988") == true)
  }

  @Test func aPebbleThatIsNotReadyWasNotScheduled() throws {
    let history = try started()

    #expect(
      problem {
        try history.note { $0.activityTaskScheduledEventAttributes.activityID = "store" }
      } == "event 3 does not fit the pond: store was started, but is not ready")
  }

  @Test func anEndWithoutABeginningIsRefused() throws {
    let history = try started()

    for end in [Int64(1), 2, 99, -1] {
      let replay = try history.anew()
      var event = TemporalHistoryEvent()
      event.eventID = 3
      event.activityTaskCompletedEventAttributes.scheduledEventID = end
      #expect((problem { try replay.apply(event) } != nil) == (end != 2))
    }
  }

  @Test func noEventIsMissing() throws {
    let history = try started()
    var event = TemporalHistoryEvent()

    for number in [Int64(0), 2, 4, .max, .min] {
      event.eventID = number
      #expect(throws: ReplayError.self) { try history.replay.apply(event) }
    }
  }

  @Test func whatIsNotKnownIsPassedOver() throws {
    let history = try started()

    try history.note { $0.eventType = .workflowTaskScheduled }
    try history.note { $0.eventType = .UNRECOGNIZED(4_711) }
    // A body that is not known to have been scheduled: a start of one that has ended.
    try history.note { $0.activityTaskStartedEventAttributes.scheduledEventID = 99 }

    #expect(try history.decide() == [])
  }

  @Test(arguments: [
    [], ["{}"], ["{", "{}"], ["{}", "[]"], ["{\"version\":1}", "{}"], ["", ""],
    [String(repeating: "[", count: 100_000), String(repeating: "{", count: 100_000)],
  ])
  func anInputThatIsNoneIsRefused(_ texts: [String]) {
    #expect(throws: ReplayError.self) { try RunInput(texts.map { Data($0.utf8) }) }
  }

  @Test func anInputOfAnotherReleaseIsRefused() throws {
    let pond = Pond("nightly")
    pond.pebble("fetch") {}
    var settings = RunSettings()
    settings.version = RunSettings.versionInPart + 1
    let texts = try RunInput(try pond.model(), settings).encoded()

    #expect(
      problem { _ = try RunInput(texts.map { Data($0) }) }?.contains("by another release") == true)
  }

  @Test func aPondThatNeedsItsOwnProcessIsRefused() throws {
    let pond = Pond("nightly", onFailure: .custom { _ in .goOn })
    pond.pebble("load") { 1 }
    pond.service("http") { ready in ready() }
    var options = TemporalRunOptions()
    options.heartbeat = .zero
    options.within = .zero

    let problem = problem { _ = try RunInput(try pond.model(), options) } ?? ""

    #expect(problem.hasPrefix("the pond \"nightly\" cannot be run on Temporal:"))
    for word in ["failure policy", "http is a service", "its heartbeat", "its time limit"] {
      #expect(problem.contains(word), "\(word)")
    }
  }

  /// Checks time limits at or above the largest number of milliseconds that the input can contain.
  @Test(arguments: [.zero, .milliseconds(100), .seconds(1), .seconds(1 << 60)] as [Duration])
  func aTimeLimitThatIsTooLongIsTheLongest(excess: Duration) throws {
    let pond = Pond("nightly")
    pond.pebble("load") {}
    var options = TemporalRunOptions()
    options.within = .milliseconds(Int64.max) + excess

    let input = try RunInput(try pond.model(), options)

    #expect(input.settings.within == Int64.max)
  }

  @Test func aPondThatIsTooLargeIsRefused() throws {
    let pond = Pond("large")
    for number in 0..<9_000 { pond.pebble("\(number)") {} }

    let problem = problem { _ = try RunInput(try pond.model(), TemporalRunOptions()) }

    #expect(problem?.contains("9000 pebbles may cost 54000 events") == true)
  }

  @Test func pebblesThatAreNotThereAreNamed() throws {
    let pond = Pond("nightly")
    pond.pebble("load") {}
    var options = TemporalRunOptions()
    options.failingOnWorkerLoss = [.named("charge")]
    options.disabling = [.named("mail")]

    let problem = problem { _ = try RunInput(try pond.model(), options) }

    #expect(problem?.contains("it has no pebble \"charge\"") == true)
    #expect(problem?.contains("it has no pebble \"mail\"") == true)
  }
}
