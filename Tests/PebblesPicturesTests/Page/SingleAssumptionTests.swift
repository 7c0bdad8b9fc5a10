import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

/// Tests that the what-if results of the page agree with `scenarios.ending`. For each body, they
/// assume that it fails and all others succeed, and that it succeeds and all others fail.
@Suite(
  .ownThreads, .enabled(if: JavaScript.isInstalled, Comment(rawValue: JavaScript.howToInstall)))
struct SingleAssumptionTests {
  @Test func ofTheBootOfARealApp() throws {
    try expectAgreement([PublishedBoot().pond.model()])
  }

  @Test func ofTheBootOfALaunchTracker() throws {
    try expectAgreement([launchTracker().model()])
  }

  @Test func ofRandomPonds() throws {
    var generator = SeededGenerator(seed: 13_100)
    try expectAgreement(
      (0..<Thoroughness.times(50)).map { _ in
        try ReferencePond.random(mostPebbles: 20, using: &generator)
          .definedPond().model()
      })
  }

  private func expectAgreement(_ models: [PondModel]) throws {
    let questions = try models.map { try Self.question(of: $0) }

    let different = try JavaScript.result(
      of: """
        const models = [\(questions.joined(separator: ",\n"))];
        const different = models.flatMap(({ run, endings }, model) => {
          const network = new Network(run.pond);
          return endings.flatMap(({ bodies, outcomes }, question) =>
            suppose(network, { bodies }).join() === outcomes.join()
              ? [] : [`${question} of ${model}`]);
        });
        return `${models.flatMap(({ endings }) => endings).length} asked, ${different}`;
        """)

    let count = models.map { 2 * $0.count }.reduce(0, +)
    #expect(different == "\(count) asked, ")
  }

  /// Returns a JSON text with a run of the pond, and with the expected ending for each question.
  private static func question(of model: PondModel) throws -> String {
    let scenarios = model.scenarios(limit: 1)
    let ids = model.names.map(PebbleID.named)
    let endings = try model.names.indices.flatMap { one in
      try [false, true].map { succeeds in
        let failing = model.names.indices.filter { ($0 == one) != succeeds }
        let ending = try scenarios.ending(failing: failing.map { ids[$0] })
        let bodies = model.names.indices.map { failing.contains($0) ? 1 : 0 }
        let outcomes = ending.outcomes.map { $0 == .succeeded ? 0 : $0 == .failed ? 1 : 2 }
        return #"{"bodies": \#(bodies), "outcomes": \#(outcomes)}"#
      }
    }
    let run = Simulator(model, SimulationPlan()).run()
    return #"{"run": \#(run.json()), "endings": [\#(endings.joined(separator: ", "))]}"#
  }
}

/// Returns the boot of the launch tracker from the examples, with bodies that do nothing.
func launchTracker() -> Pond {
  let pond = Pond("boot")
  let launches = pond.pebble("loadLaunches") { 1 }
  let cores = pond.pebble("loadCores") { 1 }
  pond.pebble("refreshScreens", needs: launches.result, cores.result) { _, _ in }
  return pond
}
