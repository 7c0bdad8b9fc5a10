import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests of the record and the texts of a run that is limited to some pebbles.
@Suite(.watched) struct RecordedSubsetTests {
  private let pond = Pond("up")

  private func recorded() async throws -> RecordedRun {
    let database = pond.pebble("database") {}
    let web = pond.pebble("web", when: database.succeeded) {}
    let mail = pond.pebble("mail", when: web.failed) {}
    pond.goal = mail.skipped && web.succeeded
    return try await pond.run(only: [web]).recorded()
  }

  @Test func itIsReadBackAsItWas() async throws {
    let run = try await recorded()

    let read = try RecordedRun(json: run.json())

    #expect(read.pebbles[2].outcome == .skipped(.notAskedFor))
    #expect(try read.isGoalReached == nil)
    #expect(try read.missedGoal == nil)
    #expect(read.json() == run.json())
  }

  @Test func itIsExplained() async throws {
    let run = try await recorded()

    let why = "\(try run.why(.named("mail")))"

    #expect(why.contains("not asked for"), "\(why)")
  }

  @Test func whatWouldHaveBeenFasterLeavesOutTheSame() async throws {
    let run = try await recorded()

    let faster = try run.whatIf([.pebble(.named("database"), speedUp: 2)])

    #expect(faster.ignored.isEmpty)
    #expect(run.pebbles.map(\.outcome.isSkipped) == [false, false, true])
    #expect(faster.run.pebbles.map(\.outcome) == run.pebbles.map(\.outcome))
  }
}
