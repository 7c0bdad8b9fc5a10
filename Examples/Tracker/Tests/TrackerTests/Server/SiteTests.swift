import Hummingbird
import Testing
import TrackerTestSupport

@testable import TrackerCore

@Suite struct SiteTests {
  let site = Site()

  func open(_ screen: Site.Screen = .online) {
    site.open { _, _ in Response(status: .ok) }
    site.show(screen)
  }

  @Test func nobodyIsLetInBeforeThereIsSomethingToSee() async throws {
    #expect(try await site.admit { _ in true } == nil)
    open(.booting)
    #expect(try await site.admit { _ in true } == nil)
    site.show(.offline(Loss(cause: "no feed")))
    #expect(!site.isOpen)

    site.show(.stale(Loss(cause: "no cores")))
    #expect(site.isOpen)
    #expect(try await site.admit { _ in true } == true)
    #expect(site.visits == Site.Visits(admitted: 1, answered: 1, turnedAway: 2))
  }

  @Test func closingWaitsForThoseInsideAndLetsNobodyIn() async throws {
    open()
    let (inside, leave) = (Gate(), Gate())
    async let visit: Void? = site.admit { _ in
      inside.open()
      await leave.passed()
    }
    await inside.passed()

    async let left = site.close()
    while site.isOpen { await Task.yield() }
    #expect(try await site.admit { _ in true } == nil)
    #expect(site.visits.answered == 0)
    leave.open()

    #expect(await left == 0)
    #expect(try await visit != nil)
  }

  @Test func aVisitThatFailsHasLeft() async throws {
    struct Refused: Error {}
    open()
    await #expect(throws: Refused.self) { try await site.admit { _ in throw Refused() } }

    #expect(await site.close() == 0)
  }

  @Test func closingIsGivenUpWithItsTask() async throws {
    open()
    let (inside, leave) = (Gate(), Gate())
    async let visit: Void? = site.admit { _ in
      inside.open()
      await leave.passed()
    }
    await inside.passed()

    let closing = Task { await site.close() }
    closing.cancel()

    #expect(await closing.value == 1)
    leave.open()
    _ = try await visit
  }

  @Test func whoIsPatientWaitsThoughItIsCancelledAndAnotherGivesUp() async throws {
    open()
    let (inside, leave) = (Gate(), Gate())
    async let visit: Void? = site.admit { _ in
      inside.open()
      await leave.passed()
    }
    await inside.passed()

    let patient = Task { await site.close(isPatient: true) }
    let other = Task { await site.close() }
    patient.cancel()
    other.cancel()
    #expect(await other.value == 1)
    leave.open()

    #expect(await patient.value == 0)
    _ = try await visit
  }

  @Test func closingTwiceWaitsTwice() async throws {
    open()
    let (inside, leave) = (Gate(), Gate())
    async let visit: Void? = site.admit { _ in
      inside.open()
      await leave.passed()
    }
    await inside.passed()

    async let first = site.close()
    async let second = site.close()
    while site.isOpen { await Task.yield() }
    leave.open()

    #expect(await [first, second] == [0, 0])
    _ = try await visit
  }
}
