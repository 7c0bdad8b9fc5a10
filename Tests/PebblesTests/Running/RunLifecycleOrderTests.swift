import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the life cycle of a run in isolation. They try all possible events in every order.
@Suite(.watched) struct RunLifecycleOrderTests {
  @Test(arguments: [true, false], [nil, 5])
  func whateverHappensInWhateverOrderTheEndIsToldOnce(hasTeardowns: Bool, deadline: UInt64?) {
    let life = RunLifecycle(hasTeardowns: hasTeardowns, deadline: deadline)
    var explorer = HappeningExplorer(Script(life))
    explorer.explore(depth: Thoroughness.isFull ? 7 : 6)
    #expect(explorer.faults.isEmpty, "\(explorer.faults.prefix(3))")
    #expect(explorer.sequenceCount > 400)
  }

  @Test func aRunInsideThatEndsWhileTheEndIsAnnouncedHidesItFromNobody() {
    var life = RunLifecycle(hasTeardowns: false)
    life.innerRunStarted()
    _ = life.cancelRequested(.requested, at: 3)
    life.cameToRest()
    let end = RunEnd(time: 9, cancellation: .requested)

    #expect(life.allSettled(at: 9) == [.announce(end)])
    life.innerRunEnded()
    #expect(life.endTold() == [.finishEvents, .tell(end), .tellShutdown])
  }
}

/// A script of the events that can happen to a run. It records the effects that are visible from
/// outside.
private struct Script: HappeningScript {
  enum Happening: CaseIterable {
    case cameToRest, resumed, allSettled, endTold, cancelled, shutdownAsked, deadlinePassed
    case serviceStarted, serviceEnded, innerRunStarted, innerRunEnded, tornDown
  }

  private var life: RunLifecycle
  private var (services, innerRuns) = (0, 0)
  private var (tearDowns, tornDowns) = (0, 0)
  private var (announced, told, finished, shutdownTold) = (0, 0, 0, 0)
  private(set) var faults: [String] = []
  let count = 1

  init(_ life: RunLifecycle) {
    self.life = life
  }

  func allows(_ happening: Happening, of position: Int) -> Bool {
    switch (happening, life.phase) {
    case (.cameToRest, .booting), (.resumed, .atRest), (.allSettled, .atRest): true
    case (.endTold, .ending), (.serviceStarted, .booting): true
    case (.cancelled, let phase), (.shutdownAsked, let phase), (.deadlinePassed, let phase):
      if case .ended = phase { false } else { true }
    case (.serviceEnded, _): services > 0
    case (.innerRunStarted, .booting), (.innerRunStarted, .ending): innerRuns < 2
    case (.innerRunEnded, _): innerRuns > 0
    case (.tornDown, _): tearDowns > tornDowns
    default: false
    }
  }

  mutating func happens(_ happening: Happening, of position: Int) {
    switch happening {
    case .cameToRest: life.cameToRest()
    case .resumed: life.resumed()
    case .allSettled: perform(life.allSettled(at: 3))
    case .endTold: perform(life.endTold())
    case .cancelled: perform(life.cancelRequested(.requested, at: 2))
    case .shutdownAsked: perform(life.shutdownRequested(.shutdown, at: 2))
    case .deadlinePassed: perform(life.timePassed(to: 5))
    case .serviceStarted:
      services += 1
      life.serviceStarted()
    case .serviceEnded:
      services -= 1
      perform(life.serviceEnded())
    case .innerRunStarted:
      innerRuns += 1
      life.innerRunStarted()
    case .innerRunEnded:
      innerRuns -= 1
      life.innerRunEnded()
    case .tornDown:
      tornDowns += 1
      perform(life.tornDown())
    }
    look()
  }

  private mutating func perform(_ actions: [RunLifecycle.Action]) {
    for action in actions {
      switch action {
      case .announce: announced += 1
      case .tell:
        if announced == 0 { faults.append("the end is told before it is announced") }
        told += 1
      case .tearDown: tearDowns += 1
      case .finishEvents: finished += 1
      case .tellShutdown:
        if told == 0 { faults.append("the shutdown is told before the end") }
        shutdownTold += 1
      case .cancelBodies, .giveUpBodies, .wake: break
      }
    }
  }

  private mutating func look() {
    // To finish events again changes nothing.
    if max(announced, told, shutdownTold, tearDowns) > 1 {
      faults.append("something is told twice")
    }
    switch life.phase {
    case .booting, .atRest, .ending: break
    case .up, .stopping(_, isEndTold: true):
      if told == 0 { faults.append("the end is not told") }
    case .stopping: break
    case .ended:
      if min(told, finished, shutdownTold) == 0 { faults.append("something is never told") }
    }
  }
}
