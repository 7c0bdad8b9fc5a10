import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that answer the questions listed in the article *PebblesAnalysis*, for a small boot.
@Suite(.watched) struct AnalysisArticleTests {
  private let pond = Pond("boot")
  private let ping: Pebble<Void>
  private let loadCores: Pebble<Void>
  private let home: Pebble<Void>
  private let offline: Pebble<Void>

  init() {
    ping = pond.pebble("ping") {}
    loadCores = pond.pebble("loadCores") {}
    home = pond.pebble("home", when: ping.succeeded && loadCores.succeeded) {}
    offline = pond.pebble("offline", when: home.skipped) {}
    pond.goal = .exactlyOne(of: home.succeeded, offline.succeeded)
  }

  @Test func scenariosAnswerHowThePondCanEnd() throws {
    let scenarios = try pond.scenarios()

    #expect(scenarios.count == 8)
    #expect(try scenarios.count(where: home.completed) == 2)
    #expect(try scenarios.tally(of: [home, offline].map(\.completed)) == [0, 8])
    #expect(scenarios.alwaysRun == ["ping", "loadCores"])
    #expect(scenarios.sometimesRun == ["home", "offline"] && scenarios.neverRun.isEmpty)
    #expect(scenarios.runs(home) == .sometimes)
    #expect(try scenarios.occurrence(of: home.skipped && offline.skipped) == .never)
    let failures = try scenarios.smallestFailures(leadingTo: home.skipped)
    #expect(Set(failures.sets) == [["ping"], ["loadCores"]] && failures.isComplete)
    #expect(try scenarios.ending(failing: [ping]).outcome(of: offline) == .succeeded)
    #expect(Array(scenarios.endings).count == 8)
    #expect(scenarios.goal?.occurrence == .sometimes && scenarios.goal?.missed != nil)
    #expect(scenarios.isExact && scenarios.limitations.isEmpty && scenarios.unknown.isEmpty)
  }

  @Test func aModelIsAskedLikeItsPond() throws {
    let model = try pond.model()

    #expect(try model.subset(for: [home]).names == ["ping", "loadCores", "home"])
    #expect(model.lint(ignoring: [.unused]) == pond.lint(ignoring: [.unused]))
    #expect(pond.lint().of(.cycle).isEmpty)
    let why = try pond.why(home, given: [.fails(ping)])
    #expect(why.nodes.map(\.role) == [.subject, .falsified(needed: "succeed")])
    #expect(why.nodes.map(\.depth) == [0, 1])
  }

  @Test func aReportAnswersWhereTheTimeWent() async throws {
    let report = try await pond.run()

    let timing = try report.timing(mainActor: [home])
    let faster = try report.whatIf([.pebble(loadCores, speedUp: 2)])
    let slower = try report.whatIf([.pebble(loadCores, takes: .seconds(1))])
    let bounds = try report.makespanBounds(workers: [1, 4])

    #expect(try timing.criticalPath(to: home).steps.last?.name == "home")
    #expect(timing.blame.entries.count == 3 && timing.pebbles[3].duration == .zero)
    #expect(timing.utilization.peak >= 1)
    #expect(faster.difference <= .zero && slower.bottleneck?.name == "loadCores")
    #expect(bounds.allSatisfy { $0.lowerBound <= $0.listSchedule })
    #expect(try report.holds(home.succeeded))
  }

  @Test func aReportIsComparedAndKeepsToABudget() async throws {
    let (baseline, report) = (try await pond.run(), try await pond.run())

    let comparison = try report.compared(to: baseline)
    let budget = Budget(
      .makespan(atMost: .seconds(1_000)), .pebble(loadCores, atMost: .seconds(1_000)))

    #expect(comparison.changedOutcomes.isEmpty && comparison.lostGoal == nil)
    #expect(comparison.new.isEmpty && comparison.vanished.isEmpty)
    try budget.check(report)
  }
}
