import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct RefreshTests {
  private let pond = Pond("screens")
  private let gate = Gate()
  private let starts = Logbook<Void>()

  @Test func tenCallsAreOneRun() async throws {
    addSlowPebble()

    let callers = (0..<10).map { _ in Task { [pond] in try await pond.refresh() } }
    try await until { pond.refreshes.waitingCount == 10 }
    gate.open()
    var runs: Set<RunIdentifier> = []
    for caller in callers { runs.insert(try await caller.value.identifier) }

    #expect(starts.count == 1)
    #expect(runs.count == 1)
  }

  @Test func theRunIsCancelledOnceAllThatWaitForItAre() async throws {
    addSlowPebble()
    let callers = (0..<10).map { _ in Task { [pond] in try await pond.refresh() } }
    try await until { pond.refreshes.waitingCount == 10 && starts.count == 1 }

    for caller in callers { caller.cancel() }
    gate.open()
    var reports: [Report] = []
    for caller in callers { reports.append(try await caller.value) }

    #expect(reports.allSatisfy { $0.cancellation == .requested })
    #expect(Set(reports.map(\.identifier)).count == 1)
  }

  @Test func theRunGoesOnWhileAnybodyWaitsForIt() async throws {
    addSlowPebble()
    let callers = (0..<10).map { _ in Task { [pond] in try await pond.refresh() } }
    try await until { pond.refreshes.waitingCount == 10 && starts.count == 1 }

    for caller in callers.dropLast() { caller.cancel() }
    #expect(pond.refreshes.waitingCount == 1)
    gate.open()

    for caller in callers {
      let report = try await caller.value
      #expect(!report.isCancelled)
      #expect(report.isAllSucceeded)
    }
  }

  @Test func aCallerThatIsCancelledAlreadyDoesNotCount() async throws {
    addSlowPebble()
    let patient = Task { [pond] in try await pond.refresh() }
    try await until { starts.count == 1 }

    let cancelled = Task { [pond] in
      try await until { Task.isCancelled }
      return try await pond.refresh()
    }
    cancelled.cancel()
    let other = Task { [pond] in try await pond.refresh() }
    try await until { pond.refreshes.waitingCount == 2 }
    gate.open()

    #expect(try await !patient.value.isCancelled)
    #expect(try await !other.value.isCancelled)
    // Joined the run, or came after its end and started one that was cancelled at once.
    let late = try await cancelled.value
    #expect(try await late.isCancelled == (late.identifier != patient.value.identifier))
  }

  @Test func aRefreshByACancelledTaskStartsNothing() async throws {
    addSlowPebble()
    gate.open()

    let caller = Task { [pond] in
      try await until { Task.isCancelled }
      return try await pond.refresh()
    }
    caller.cancel()
    let report = try await caller.value

    #expect(report.isCancelled)
    #expect(starts.count == 0)
  }

  @Test func whoComesAfterACancellationGetsARunOfTheirOwn() async throws {
    addSlowPebble()
    let first = Task { [pond] in try await pond.refresh() }
    try await until { starts.count == 1 }
    first.cancel()

    let second = Task { [pond] in try await pond.refresh() }
    try await until { starts.count == 2 }
    gate.open()

    #expect(try await first.value.isCancelled)
    #expect(try await !second.value.isCancelled)
  }

  @Test func aRefreshAfterTheEndStartsAnew() async throws {
    addSlowPebble()
    gate.open()

    let first = try await pond.refresh()
    let second = try await pond.refresh()

    #expect(first.identifier != second.identifier)
    #expect(starts.count == 2)
  }

  @Test func runsAreIndependentOfRefreshes() async throws {
    addSlowPebble()
    let run = try pond.start()
    let refresh = Task { [pond] in try await pond.refresh() }
    let other = Task { [pond] in try await pond.run() }
    try await until { starts.count == 3 }

    run.cancel()
    gate.open()

    #expect(try await run.report.isCancelled)
    #expect(try await !refresh.value.isCancelled)
    #expect(try await !other.value.isCancelled)
    #expect(try await refresh.value.identifier != other.value.identifier)
  }

  @Test func aRunThatIsJoinedHasTheDefinitionOfItsStart() async throws {
    addSlowPebble()
    let first = Task { [pond] in try await pond.refresh() }
    try await until { starts.count == 1 }

    pond.pebble("later") {}
    let second = Task { [pond] in try await pond.refresh() }
    try await until { pond.refreshes.waitingCount == 2 }
    gate.open()

    #expect(try await second.value.records.map(\.name) == ["slow"])
    #expect(try await first.value.records.count == 1)
    #expect(try await pond.refresh().records.count == 2)
  }

  @Test func whatIsWrongIsReportedToEverybody() async throws {
    addSlowPebble()
    let first = Task { [pond] in try await pond.refresh() }
    try await until { starts.count == 1 }

    let late = await #expect(throws: PondError.self) { try await pond.refresh(within: .zero) }
    pond.pebble("slow") {}
    let error = await #expect(throws: PondError.self) { try await pond.refresh() }
    gate.open()

    #expect(
      late?.faults == [
        .invalidRun(problem: "has a time limit of 0.0 seconds; it must be longer than zero")
      ])
    #expect(error?.faults == [.duplicateName("slow", count: 2)])
    #expect(try await first.value.isAllSucceeded)
  }

  @Test func refreshesByManyAtOnceEachGetAReport() async throws {
    let pond = Pond("busy")
    let occupancy = Occupancy()
    pond.pebble("only one at a time") {
      #expect(occupancy.enter() == 1)
      await Task.yield()
      occupancy.leave()
    }

    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let report = try await pond.refresh()
            #expect(report.isAllSucceeded)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func addSlowPebble() {
    pond.pebble("slow") { [gate, starts] in
      starts.note(())
      await gate.passed()
    }
  }
}
