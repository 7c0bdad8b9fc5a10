import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the parts of a model that describe given values. They need no run.
@Suite(.watched) struct GivenModelTests {
  private enum User: Equatable, Sendable {
    case guest
    case known
  }

  private let pond = Pond("page")
  private let user: Pebble<User>
  private let home: Pebble<Void>

  init() {
    user = pond.given("user", User.self)
    home = pond.pebble("home", when: user.is(.known)) {}
    pond.pebble("signUp", when: !user.is(.known)) {}
  }

  @Test func aModelSaysSoAndSoDoesItsJSON() throws {
    let model = try pond.model()
    let read = try PondModel(json: model.json())

    #expect(model.isGiven(at: 0) && !model.isGiven(at: 1))
    #expect(read.isGiven(at: 0) && read.json() == model.json())
    let waiting = "\"given\": true, \"when\": 0"
    let conditioned = model.json().replacing("\"given\": true", with: waiting)
    #expect(throws: (any Error).self) { try PondModel(json: conditioned) }
  }

  @Test func aRecordSaysSoAndHasNoCalls() async throws {
    let report = try await pond.run(given: [user.value(.known)])

    let recorded = report.recorded()
    let read = try RecordedRun(json: recorded.json())

    #expect(report.record(of: user)?.attempts.isEmpty == true)
    #expect(read.pebbles == recorded.pebbles && read.json() == recorded.json())
    #expect(!recorded.json().contains("attempts"))
    #expect(read.pebbles[0].attempts.isEmpty && read.pebbles[0].duration == .zero)
    #expect(read.pebbles[0].cases == [.is("known")])
    #expect("\(report)".contains("given; with known"), "\(report)")
    let storage = try Replay(read).storage
    #expect(PebbleRecord(storage, 0).explanation == report.records[0].explanation)
    #expect(report.records[0].explanation.hasSuffix("the run was given its value"))
    // What it is, is nobody's business.
    let secret = Pond("secret")
    let token = secret.given("token", String.self)
    let told = try await secret.run(given: [token.value("hunter2")])
    #expect(!told.recorded().json().contains("hunter2") && !told.dot().contains("hunter2"))
  }

  @Test func itIsNotAmongThePebblesThatTookTime() async throws {
    let timing = try await pond.run(given: [user.value(.known)]).timing()

    #expect(timing.blame.entries.map(\.name) == ["home"])
    let values = Pond("values")
    let token = values.given("token", String.self)
    let utilization = try await values.run(given: [token.value("a")]).timing().utilization
    #expect(utilization.peak == 0)
  }

  @Test func aRecordInWhichItFailedOrWasCalledIsRefused() throws {
    let model = try pond.model(), rest = Simulator(model, SimulationPlan()).run().pebbles[1...]
    func record(_ outcome: RecordedOutcome, _ attempts: [RecordedAttempt]) throws {
      let user = RecordedPebble(
        name: "user", outcome: outcome, ready: .zero, started: .zero, finished: .zero,
        attempts: attempts)
      _ = try RecordedRun(model: model, pebbles: [user] + rest, makespan: .zero)
    }

    try record(.succeeded, [])
    #expect(throws: RecordingError.self) { try record(.failed("no"), []) }
    #expect(throws: RecordingError.self) {
      try record(.succeeded, [RecordedAttempt(started: .zero, finished: .zero)])
    }
  }

  @Test func allThatIsSaidBeforehandKnowsThatItSucceeds() throws {
    let sorry = pond.pebble("sorry", when: user.failed) {}

    let scenarios = try pond.scenarios()

    #expect(scenarios.runs(user) == .always && scenarios.runs(sorry) == .never)
    #expect(scenarios.runs(home) == .sometimes)
    // Who it is, and how the one ends that is then called.
    #expect(scenarios.count == 4)
    #expect(try scenarios.check(.never(user.failed)).isKept)
    let findings = "\(pond.lint())"
    #expect(findings.contains("sorry can never run"), "\(findings)")
    #expect(throws: AssumptionError.self) { try pond.why(home, given: [.fails(user)]) }
    #expect(try "\(pond.why(home, given: [.succeeds(user, as: .known)]))".contains("succeeded"))
  }

  @Test func picturesShowItAsData() async throws {
    let report = try await pond.run(given: [user.value(.known)])

    #expect(pond.dot().contains("p0 [label=\"user\", shape=parallelogram"))
    #expect(pond.mermaid().contains("p0[/\"user\"/]"))
    #expect(report.dot().contains("user\\nwith known, given"), "\(report.dot())")
    #expect(report.mermaid().contains("p0[/\"user<br/>with known, given\"/]:::succeeded"))
  }
}
