import Testing

@testable import Pebbles

/// Tests of the life cycle of a service in isolation. They use no task, clock or lock.
@Suite(.watched) struct ServicePhaseTests {
  private var life = ServiceLife()

  @Test mutating func oneThatDoesNotComeUpHasEnded() {
    life.ended()

    #expect(!life.isRunning && life.isStopping)
  }

  @Test mutating func oneThatWasAskedToStopHasEndedOnceItSaysSo() {
    life = .restored
    life.stopRequested()
    #expect(life.isRunning && life.isStopping)

    life.ended()

    #expect(!life.isRunning && life.isStopping)
  }

  @Test mutating func oneThatIsDownRunsUntilItsLastBodyHasEnded() {
    life = .restored
    let isDown = life.wentDown()
    #expect(isDown && life.isRunning && !life.isStopping)

    life.ended()

    #expect(!life.isRunning)
  }

  @Test func askingOneToStopThatStartsTraps() async {
    await #expect(processExitsWith: .failure) {
      var life = ServiceLife()
      life.stopRequested()
    }
  }
}
