import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of a service, the leader, and of its follower, a service that restarts with it. They use
/// no task, clock or lock, and try all sequences of a given number of events.
@Suite(.watched) struct RestartFamilyLifeTests {
  @Test(arguments: FamilyScript.Start.allCases)
  fileprivate func whateverHappensInWhateverOrderNothingIsUsedThatIsClosed(
    start: FamilyScript.Start
  ) {
    var explorer = HappeningExplorer(FamilyScript(start))
    explorer.explore(depth: Thoroughness.isFull ? 12 : 10)
    #expect(explorer.faults.isEmpty, "\(explorer.faults.prefix(3))")
    #expect(explorer.sequenceCount > 10_000)
  }
}

/// A script with two services: the leader, 0, which is ready, and its follower, 1.
private struct FamilyScript: HappeningScript {
  enum Start: CaseIterable {
    case followerStarts, followerIsUp
    /// Both have been restarted. The leader is ready again, and the follower has just been called.
    case followerIsCalledAgain
  }

  enum Happening: CaseIterable {
    case bodyCalled, saidReady, ended, returned, kept, settled
    case recalls, closes, declines, closed, restarted, staysDown, startsAnew, didNotStop
    case stopAsked, gone
  }

  private struct Service {
    var call: AttemptCall
    var isCalled = false
    var isBodyRunning = false
    var isReady = false
    var wasGivenUp = false
    var answer: Bool?
    var isUp = false
    var isSettled = false
    var endReason: ServiceCallEnd.Reason?
    var hasRecalled = false
    var isClosed = false
    var closings = 0
    var isOver = false
    var isAsked = false
    var isDown = false
    var isGone = false
    /// The requests to stop for a restart. Each element says whether the service was ready at that
    /// time.
    var stopsForRestart: [Bool] = []
    /// The number of times that the service has been ready, which is also its latest output. `open`
    /// contains the outputs that have not been closed.
    var readyCount = 0
    var open: Set<Int> = []
    /// The output of the other service that this service has received.
    var used: Int?
  }

  private static let core: RunCore = {
    let pond = Pond("machine")
    let leader: Pebble<Int> = pond.service(
      "leader", .ending(.restart(.attempts(9))), teardown: { _ in }
    ) { ready in ready(1) }
    pond.service("follower", .restartsWith(leader), needs: leader, teardown: { (_: Int) in }) {
      (ready: ServiceReady<Int>, _) in ready(1)
    }
    return RunCore(pond.program(), RunClock(ManualClock()), RunOptions())
  }()

  /// The options of both services. The body of the leader may return.
  private static let options = [
    PebbleOptions([ending], teardown: { _ in }, service: { _, _ in }),
    PebbleOptions(
      [.ending(.restart(.attempts(9)))], teardown: { _ in }, service: { _, _ in }),
  ]

  private static let ending = PebbleTrait.ending(.mayEnd(otherwise: .restart(.attempts(9))))

  private static func call(_ position: Int) -> AttemptCall {
    let slot = ContextSlot(core, pebble: position, attempt: 1)
    return AttemptCall(core, position, in: slot, options[position], nil)
  }

  private var life = RunLife(RunLifecycle(hasTeardowns: true), core.program.families)
  private var services = (0...1).map { Service(call: call($0)) }
  private var areReadersHeld = false
  private var keptNext: AttemptCall?
  private(set) var faults: [String] = []

  init(_ start: Start) {
    for position in 0...1 {
      self.start(position)
      guard position == 0 || start != .followerStarts else { continue }
      for happening in [Happening.bodyCalled, .saidReady, .settled] {
        happens(happening, of: position)
      }
    }
    guard start == .followerIsCalledAgain else { return }
    for (happening, position) in Self.restart {
      if !allows(happening, of: position) { fault("\(happening) \(position) cannot be") }
      happens(happening, of: position)
    }
  }

  private static let restart: [(Happening, Int)] = [
    (.ended, 0), (.recalls, 0), (.ended, 1), (.closes, 1), (.closed, 1), (.closes, 0),
    (.closed, 0), (.restarted, 0), (.bodyCalled, 0), (.saidReady, 0), (.kept, 0), (.restarted, 1),
    (.bodyCalled, 1),
  ]

  var count: Int { services.count }

  func allows(_ happening: Happening, of position: Int) -> Bool {
    let service = services[position]
    let isStopping = life.services[position]?.isStopping == true
    let hasEnded = service.endReason != nil && !service.isDown && !service.isGone && !isStopping
    switch happening {
    case .bodyCalled: return !service.isCalled
    case .saidReady: return service.isBodyRunning && !service.isReady
    case .ended: return service.isBodyRunning
    case .returned: return position == 0 && service.isBodyRunning && service.isReady
    case .kept: return keptNext?.pebble == position
    case .settled: return service.answer == true && !service.isSettled
    case .recalls: return position == 0 && hasEnded && !service.hasRecalled
    case .closes:
      let isFree = position == 1 || service.hasRecalled && life.lastUse(of: 0) ?? 0 < .max
      return hasEnded && !service.isClosed && isFree
    case .declines: return hasEnded && service.endReason == .isUnasked && !service.hasRecalled
    case .closed: return service.closings > 0
    case .restarted: return hasEnded && service.isClosed && service.isOver && isNow(position)
    case .staysDown: return hasEnded && service.isClosed && service.isOver && isNever(position)
    case .startsAnew:
      return service.answer == false && !service.isSettled && service.isOver && isNow(position)
        && service.call.startsAnew.fulfilled != nil
    case .didNotStop: return !service.stopsForRestart.isEmpty && service.isBodyRunning
    case .stopAsked:
      // The follower first.
      let isTurn = position == 1 || services[1].isAsked || services[1].isGone
      return service.isSettled && service.answer == true && !service.isAsked && isTurn
    case .gone:
      return service.isSettled && !service.isGone && (isStopping || service.isDown)
        && !life.goesOn(service.call) && service.endReason != nil && keptNext == nil
    }
  }

  private func isNow(_ position: Int) -> Bool {
    if case .now = life.permission(for: position) { true } else { false }
  }

  private func isNever(_ position: Int) -> Bool {
    if case .never = life.permission(for: position) { true } else { false }
  }

  mutating func happens(_ happening: Happening, of position: Int) {
    let call = services[position].call
    switch happening {
    case .bodyCalled:
      services[position].isCalled = true
      services[position].isBodyRunning = life.bodyCalled(call)
    case .saidReady:
      services[position].isReady = true
      services[position].readyCount += 1
      services[position].open.insert(services[position].readyCount)
      life.serviceReady(call, OutputBox(services[position].readyCount), at: 1)
    case .ended:
      services[position].isBodyRunning = false
      services[position].isUp = false
      life.bodyEnded(call, .failure(CancellationError()), at: 2)
    case .returned:
      services[position].isBodyRunning = false
      life.bodyEnded(call, .success(nil), at: 2)
    case .kept:
      keptNext = nil
      life.latestOutputIsKept(call)
    case .settled:
      services[position].isSettled = true
      _ = life.pebbleSettled(position, mayKeepUses: false)
    case .recalls:
      services[position].hasRecalled = true
      life.serviceRecallsFollowers(position)
    case .closes: closes(position, undoing: .some(OutputBox(1)))
    case .declines:
      closes(position, undoing: nil)
      goesDown(position)
    case .closed:
      services[position].closings -= 1
      life.closed(call)
    case .restarted:
      start(position)
    case .staysDown:
      _ = life.serviceRestarted(Self.call(position))
      goesDown(position)
    case .startsAnew: start(position)
    case .didNotStop:
      life.serviceDidNotStop(call, first: OutputBox(1), within: .seconds(1), at: 3)
    case .stopAsked:
      services[position].isAsked = true
      _ = life.stopRequested(position)
    case .gone:
      services[position].isGone = true
      life.serviceEnded(call, first: OutputBox(1))
    }
    perform()
    if case .ended = happening { checkStartsAnew(position) }
    check()
  }

  private mutating func start(_ position: Int) {
    let old = services[position]
    let call = Self.call(position)
    if old.isSettled {
      guard case .now = life.serviceRestarted(call) else { return }
    } else if life.serviceStarted(call) == nil {
      return fault("\(position) cannot be called")
    }
    var new = Service(call: call)
    new.isSettled = old.isSettled
    (new.readyCount, new.open) = (old.readyCount, old.open)
    if position == 1 {
      if !services[0].isUp, services[0].readyCount > 0 { fault("it is called while 0 is down") }
      new.used = services[0].readyCount
    }
    services[position] = new
    perform()
  }

  private mutating func closes(_ position: Int, undoing output: AnyOutput??) {
    services[position].isClosed = true
    life.serviceCloses(services[position].call, undoing: output, at: 4)
  }

  private mutating func goesDown(_ position: Int) {
    services[position].isDown = true
    life.serviceWentDown(position)
  }

  private mutating func perform() {
    while case let actions = life.takeActions(), !actions.isEmpty {
      for action in actions { perform(action) }
    }
  }

  private mutating func perform(_ action: RunLife.Action) {
    switch action {
    case .answer(let call, let result): answered(call, isWell: !result.isFailure)
    case .giveUp(let call, _):
      services[call.pebble].wasGivenUp = true
      services[call.pebble].isUp = false
      if services[call.pebble].answer == nil { answered(call, isWell: false) }
    case .close(let call, let output, _):
      services[call.pebble].closings += 1
      if output != nil { undoesLatest(call.pebble) }
    case .undo(_, let position): undoesLatest(position)
    case .attemptIsOver(let call, _, _):
      if services[call.pebble].isOver { fault("\(call.pebble) is over twice") }
      services[call.pebble].isOver = true
    case .noteServiceEnd(let call, _, let reason, _):
      if services[call.pebble].endReason != nil { fault("\(call.pebble) ends twice") }
      services[call.pebble].endReason = reason
    case .keepLatestOutput(let call, _):
      if call.pebble == 0 { keptNext = call } else { life.latestOutputIsKept(call) }
    case .holdReaders(let position):
      if position == 0 { areReadersHeld = true }
    case .letReadersStart(let position):
      if position == 0 { areReadersHeld = false }
      if services[0].hasRecalled, !services[0].isUp {
        fault("readers of \(position) start while it is recalled")
      }
    case .stopForRestart(let call, let isReady):
      // One that becomes ready although it was cancelled is asked once more.
      services[call.pebble].stopsForRestart.append(isReady)
      if ![[false], [true], [false, true]].contains(services[call.pebble].stopsForRestart) {
        fault("it is stopped twice")
      }
    case .tell(let promise): promise.fulfill(())
    case .run, .cancelBody, .returnThread, .noteServiceDown: break
    }
  }

  private mutating func answered(_ call: AttemptCall, isWell: Bool) {
    if services[call.pebble].call !== call { return fault("an old call is answered") }
    if services[call.pebble].answer != nil { fault("\(call.pebble) is answered twice") }
    services[call.pebble].answer = isWell
    services[call.pebble].isUp = isWell
  }

  private mutating func undoesLatest(_ position: Int) {
    guard services[position].open.remove(services[position].readyCount) != nil else {
      return fault("\(position) undoes what is not open")
    }
    let follower = services[1]
    if position == 0, follower.isBodyRunning, !follower.wasGivenUp,
      follower.used == services[0].readyCount
    {
      fault("0 is closed while 1 uses it")
    }
  }

  private mutating func fault(_ text: String) { faults.append(text) }

  /// Checks that the follower is called again if it ended before it was ready and its leader had
  /// ended by itself. The follower is not to blame in this case.
  private mutating func checkStartsAnew(_ position: Int) {
    guard position == 1, !services[1].isReady, services[0].endReason == .isUnasked else { return }
    if services[1].call.startsAnew.fulfilled == nil { fault("it is not called anew") }
  }

  private mutating func checkUp() {
    let leader = services[0]
    if leader.endReason == .isUnasked, life.isServiceUp(0) { fault("what has ended is up") }
    if leader.endReason == .isExpected, leader.isUp, !leader.isAsked, !life.isServiceUp(0) {
      fault("what has ended well is not there")
    }
  }

  private mutating func check() {
    checkUp()
    let (leader, follower) = (services[0], services[1])
    let isUsing = follower.isBodyRunning && !follower.wasGivenUp
    if leader.hasRecalled, isUsing, !follower.isAsked, follower.used == leader.readyCount,
      !leader.isUp, follower.isSettled || !follower.isReady, follower.stopsForRestart.isEmpty
    {
      fault("it is not stopped")
    }
    if follower.isReady, isUsing, !follower.isAsked, follower.stopsForRestart == [false] {
      fault("it is not asked to stop once it is ready")
    }
    if leader.isUp, leader.isBodyRunning, keptNext == nil, areReadersHeld {
      fault("readers wait for what is up")
    }
    let hasEndedWell = leader.endReason == .isExpected && leader.isUp && !leader.isAsked
    if hasEndedWell, isNever(1) || keptNext == nil && areReadersHeld {
      fault("readers wait for what has ended well")
    }
    if !leader.isUp, leader.endReason == .isUnasked, !areReadersHeld {
      fault("readers do not wait for what is down")
    }
    for (position, service) in services.enumerated() where service.open.count > 1 {
      fault("\(position) leaves something open")
    }
  }
}
