import Dispatch
import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct MainActorTests {
  private let pond = Pond("main actor")

  @Test func aMainActorBodyRunsOnTheMainActor() async throws {
    let onMain = pond.pebble("onMain") { @MainActor in MainQueue.isCurrent }
    let elsewhere = pond.pebble("elsewhere", when: onMain.succeeded) { MainQueue.isCurrent }

    let report = try await pond.run()

    #expect(report[onMain] == true)
    #expect(report[elsewhere] == false)
  }

  @Test func aMainActorCallbackBodyRunsOnTheMainActor() async throws {
    let journal = Logbook<Bool>()
    let callback = pond.pebble("callback") { @MainActor complete in
      MainActor.assertIsolated()
      journal.note(MainQueue.isCurrent)
      complete(true)
    }

    let report = try await pond.run()

    #expect(report.outcome(of: callback).isSucceeded)
    #expect(journal.entries == [true])
  }

  @Test func aMainActorBodyWithInputsMayTouchMainActorState() async throws {
    let screen = await MainActor.run { Screen() }
    let title = pond.pebble("title") { "Launches" }
    let show = pond.pebble("show", needs: title) { @MainActor title in
      screen.title = title
      return screen.title.count
    }

    let report = try await pond.run()

    #expect(report[show] == 8)
    #expect(await screen.title == "Launches")
  }

  @Test @MainActor func aRunStartedOnTheMainActorDoesNotKeepItsBodiesThere() async throws {
    let elsewhere = pond.pebble("elsewhere") { MainQueue.isCurrent }
    let onMain = pond.pebble("onMain") { @MainActor in MainQueue.isCurrent }

    let report = try await pond.run()

    #expect(report[elsewhere] == false)
    #expect(report[onMain] == true)
  }
}

/// A namespace for detecting the main queue, on which the main actor runs. On Linux, the main actor
/// does not always run on the main thread.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}

@MainActor private final class Screen {
  var title = ""
}
