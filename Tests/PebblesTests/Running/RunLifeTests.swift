import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of attempts, of services and of the runs inside them. They use no task, clock or lock, and
/// try all sequences of up to eight events, or up to seven in a plain run of the tests.
@Suite(.watched) struct RunLifeTests {
  @Test func whateverHappensInWhateverOrderEveryAttemptIsOverOnce() {
    var explorer = HappeningExplorer(Script(pebbles: [.plain, .plain]))
    explorer.explore(depth: Thoroughness.isFull ? 8 : 6)
    #expect(explorer.faults.isEmpty, "\(explorer.faults.prefix(3))")
    #expect(explorer.sequenceCount > 4_000)
  }

  @Test func whateverHappensInWhateverOrderAServiceIsUndoneOnce() {
    var explorer = HappeningExplorer(Script(pebbles: [.service]))
    explorer.explore(depth: Thoroughness.isFull ? 8 : 6)
    #expect(explorer.faults.isEmpty, "\(explorer.faults.prefix(3))")
    #expect(explorer.sequenceCount > 400)
  }

  @Test func whateverHappensInWhateverOrderNothingIsUndoneThatHasNoTeardown() {
    var explorer = HappeningExplorer(Script(pebbles: [.bareService]))
    explorer.explore(depth: Thoroughness.isFull ? 8 : 6)
    #expect(explorer.faults.isEmpty, "\(explorer.faults.prefix(3))")
    #expect(explorer.sequenceCount > 400)
  }

  @Test func twoAttemptsAndAServiceDoNotMeet() {
    var explorer = HappeningExplorer(Script(pebbles: [.plain, .plain, .service]))
    explorer.explore(depth: Thoroughness.isFull ? 7 : 6)
    #expect(explorer.faults.isEmpty, "\(explorer.faults.prefix(3))")
    #expect(explorer.sequenceCount > 10_000)
  }
}

/// A script of the events that can happen to the attempts of a run. It records the effects that are
/// visible from outside.
private struct Script: HappeningScript {
  enum Kind {
    case plain, service
    /// A service without a teardown, and without a policy that restarts it.
    case bareService

    var isService: Bool { self != .plain }
  }

  enum Happening: CaseIterable {
    case bodyCalled, timePassed, succeeded, failed, saidReady, closed, settled
    case stopAsked, abandoned, declinedToRestart, closesForRestart, restarted, ended
    case cancelled, givenUp
  }

  private struct Pebble {
    let kind: Kind
    var call: AttemptCall
    var isBegun = false
    var isBodyRunning = false
    var isBodyOver = false
    var saidReady = false
    var wasAnswered = 0
    var wasGivenUp = false
    var answeredWell = false
    var isSettled = false
    var keepsUses = false
    var closings = 0
    var isOver = 0
    var threads = 0
    var serviceEnds = 0
    var isAsked = false
    var opened = 0
    var undone = 0
    var isDown = false
    var isGone = false
    var restarts = 0
    var abandoned = false
  }

  private static let core: RunCore = {
    let pond = Pond("machine")
    for name in ["a", "b", "c"] { pond.pebble(name, teardown: { (_: Int) in }) { 1 } }
    return RunCore(pond.program(), RunClock(ManualClock()), RunOptions())
  }()

  private static let options = (
    plain: PebbleOptions([], teardown: { _ in }),
    service: PebbleOptions([ending], teardown: { _ in }, service: { _, _ in }),
    bareService: PebbleOptions([], service: { _, _ in })
  )

  /// The policy of a service that can be restarted. The events of the script decide whether the
  /// service is called again.
  private static let ending = PebbleTrait.ending(.restart(.attempts(9)))

  private var life = RunLife(RunLifecycle(hasTeardowns: true))
  private var pebbles: [Pebble]
  private(set) var faults: [String] = []

  init(pebbles kinds: [Kind]) {
    pebbles = kinds.enumerated().map { position, kind in
      Pebble(kind: kind, call: Self.call(position, kind))
    }
    for position in pebbles.indices {
      switch pebbles[position].kind {
      case .plain: life.attemptStarted(pebbles[position].call)
      case .service, .bareService: _ = life.serviceStarted(pebbles[position].call)
      }
    }
    perform()
  }

  private static func call(_ pebble: Int, _ kind: Kind) -> AttemptCall {
    let options =
      switch kind {
      case .plain: options.plain
      case .service: options.service
      case .bareService: options.bareService
      }
    let slot = ContextSlot(core, pebble: pebble, attempt: 1)
    return AttemptCall(core, pebble, in: slot, options, nil)
  }

  var count: Int { pebbles.count }

  /// Returns whether an event could happen at this point of a real run.
  func allows(_ happening: Happening, of position: Int) -> Bool {
    let pebble = pebbles[position]
    let service = life.services[position]
    switch happening {
    case .bodyCalled: return !pebble.isBodyRunning && !pebble.isBodyOver
    case .timePassed: return pebble.wasAnswered == 0
    case .succeeded, .failed: return pebble.isBodyRunning
    case .saidReady:
      return pebble.kind.isService && !pebble.saidReady
        && (pebble.isBodyRunning || pebble.isBodyOver)
    case .closed: return pebble.closings > 0
    case .settled: return pebble.wasAnswered > 0 && !pebble.isSettled
    case .stopAsked:
      return pebble.kind.isService && pebble.isSettled && pebble.answeredWell && !pebble.isAsked
    case .abandoned: return pebble.isAsked && !pebble.abandoned
    case .closesForRestart, .declinedToRestart:
      return pebble.serviceEnds > pebble.restarts && !pebble.isDown && service?.isStopping == false
    case .restarted:
      return !pebble.isDown && !pebble.isGone && pebble.serviceEnds > pebble.restarts
        && pebble.isOver > 0 && pebble.restarts < 1
    case .ended:
      guard pebble.kind.isService, !pebble.isGone, pebble.serviceEnds > 0 else { return false }
      switch service?.phase {
      case .stopping, .down: return !life.goesOn(pebble.call)
      default: return false
      }
    case .cancelled: return pebble.wasAnswered == 0 && position == 0
    case .givenUp: return position == 0
    }
  }

  mutating func happens(_ happening: Happening, of position: Int) {
    let call = pebbles[position].call
    switch happening {
    case .bodyCalled:
      let isCalled = life.bodyCalled(call)
      if isCalled, pebbles[position].wasAnswered > 0 { fault("\(position) is called too late") }
      pebbles[position].isBodyRunning = isCalled
      pebbles[position].isBodyOver = !isCalled
    case .timePassed:
      life.timePassed(call, after: .seconds(1), CancellationError(), at: 1)
    case .succeeded:
      bodyEnds(position)
      if pebbles[position].kind == .plain { pebbles[position].opened += 1 }
      life.bodyEnded(call, .success(OutputBox(1)), at: 2)
    case .failed:
      bodyEnds(position)
      life.bodyEnded(call, .failure(CancellationError()), at: 2)
    case .saidReady:
      pebbles[position].saidReady = true
      if pebbles[position].kind == .service { pebbles[position].opened += 1 }
      life.serviceReady(call, OutputBox(1), at: 3)
    case .closed:
      pebbles[position].closings -= 1
      life.closed(call)
    case .settled:
      pebbles[position].isSettled = true
      pebbles[position].keepsUses = life.pebbleSettled(
        position, mayKeepUses: !pebbles[position].answeredWell)
    case .stopAsked:
      pebbles[position].isAsked = true
      if life.stopRequested(position) == nil, !pebbles[position].isGone {
        fault("a service that is there cannot be asked to stop")
      }
    case .abandoned:
      // Otherwise it is the shutdown that undoes what it has opened.
      pebbles[position].abandoned = life.abandoned(position)
      if pebbles[position].abandoned == pebbles[position].isGone { fault("abandoned wrongly") }
    case .closesForRestart:
      life.serviceCloses(call, undoing: .some(OutputBox(1)), at: 4)
    case .declinedToRestart:
      life.serviceCloses(call, undoing: nil, at: 4)
      life.serviceWentDown(position)
      pebbles[position].isDown = true
    case .restarted:
      restart(position)
    case .ended:
      life.serviceEnded(call, first: OutputBox(1))
      pebbles[position].isGone = true
    case .cancelled:
      life.attemptCancelled(call)
      life.take { $0.cancelRequested(.requested, at: 1) }
    case .givenUp:
      life.take { $0.shutdownLimited(to: .seconds(1)) }
      life.take { $0.shutdownRequested(.shutdown, at: 5) }
      life.take { $0.timePassed(to: .max) }
    }
    perform()
    check()
  }

  private mutating func bodyEnds(_ position: Int) {
    pebbles[position].isBodyRunning = false
    pebbles[position].isBodyOver = true
  }

  private mutating func restart(_ position: Int) {
    let next = Self.call(position, pebbles[position].kind)
    guard case .now = life.serviceRestarted(next) else { return }
    var pebble = pebbles[position]
    pebble.restarts += 1
    pebble.call = next
    pebble.isBodyOver = false
    pebble.saidReady = false
    pebble.wasAnswered = 0
    pebble.wasGivenUp = false
    pebble.isOver = 0
    pebble.threads = 0
    pebbles[position] = pebble
  }

  /// Performs the actions that a run would perform.
  private mutating func perform() {
    for action in life.takeActions() {
      switch action {
      case .answer(let call, let result):
        answered(call, isWell: (try? result.get()) != nil)
      case .giveUp(let call, _):
        pebbles[call.pebble].wasGivenUp = true
        answered(call, isWell: false)
      case .returnThread(let call, let wasReplaced):
        pebbles[call.pebble].threads += 1
        if wasReplaced != pebbles[call.pebble].wasGivenUp { fault("threads are not counted") }
      case .close(let call, let output, _):
        pebbles[call.pebble].closings += 1
        if output != nil { undoes(call.pebble) }
      case .attemptIsOver(let call, _, let givesBackUses):
        pebbles[call.pebble].isOver += 1
        if pebbles[call.pebble].threads == 0 { fault("\(call.pebble) is over with its thread") }
        if givesBackUses != pebbles[call.pebble].keepsUses { fault("uses are not given back once") }
        if givesBackUses { life.usesGivenBack(call.pebble) }
      case .undo(_, let position):
        undoes(position)
      case .noteServiceEnd(let call, _, _, _):
        pebbles[call.pebble].serviceEnds += 1
      case .noteServiceDown(let position):
        // Without a policy, it is down as soon as it has ended.
        guard !pebbles[position].isDown else { continue }
        pebbles[position].isDown = true
        life.serviceCloses(pebbles[position].call, undoing: nil, at: 4)
        perform()
      case .run, .cancelBody, .tell, .holdReaders, .keepLatestOutput,
        .letReadersStart, .stopForRestart:
        break
      }
    }
  }

  private mutating func undoes(_ position: Int) {
    pebbles[position].undone += 1
    if pebbles[position].kind == .bareService { fault("what has no teardown is undone") }
  }

  private mutating func answered(_ call: AttemptCall, isWell: Bool) {
    if pebbles[call.pebble].call !== call { return fault("an old call is answered") }
    pebbles[call.pebble].wasAnswered += 1
    if pebbles[call.pebble].restarts == 0 { pebbles[call.pebble].answeredWell = isWell }
  }

  private mutating func fault(_ text: String) { faults.append(text) }

  private mutating func check() {
    for (position, pebble) in pebbles.enumerated() {
      if pebble.wasAnswered > 1 { fault("\(position) is answered twice") }
      if pebble.isOver > 1 { fault("\(position) is over twice") }
      if pebble.threads > 1 { fault("\(position) gives its thread back twice") }
      if pebble.isBodyRunning || pebble.closings > 0, pebble.isOver > 0 {
        fault("\(position) is over too early")
      }
      if pebble.isBodyOver, pebble.threads == 0 { fault("\(position) keeps its thread") }
      if pebble.isBodyOver, pebble.wasAnswered == 0 { fault("\(position) is not answered") }
      if pebble.isGone, pebble.isBodyRunning { fault("\(position) is gone while its body runs") }
      if pebble.serviceEnds > pebble.restarts + 1 { fault("\(position) ends twice") }
      if pebble.undone > pebble.opened { fault("\(position) undoes what was not opened") }
      let isUp = pebble.answeredWell && !(pebble.kind.isService && pebble.isGone)
      let isKept = pebble.isBodyRunning || isUp || pebble.closings > 0
      if !isKept, pebble.isBodyOver, !pebble.abandoned, pebble.opened - pebble.undone > 1 {
        fault("\(position) leaves something open")
      }
      if !pebble.answeredWell, pebble.isBodyOver, pebble.restarts == 0,
        pebble.opened != pebble.undone
      {
        fault("\(position) has failed, and leaves something open")
      }
      if pebble.abandoned, pebble.isGone, pebble.opened != pebble.undone {
        fault("\(position) was abandoned, and leaves something open")
      }
    }
  }
}
