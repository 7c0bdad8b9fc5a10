import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis
@testable import PebblesPictures

extension BrowserTests {
  /// Tests of what-if questions about single pebbles, asked as a user would.
  @Suite struct PageWhatIfTests {
    /// A script that returns the pebbles that would end differently according to the page: the
    /// marked rows, and the lists below the question.
    private static let answer = """
      [...document.querySelectorAll('.row.changed .text')].map(name => name.textContent).sort()
        .join() + ' | ' + [...document.querySelectorAll('#answer p')].slice(1)
        .map(line => line.textContent).filter(text => text.includes(' would ')).join(' | ')
      """

    @Test(arguments: [true, false])
    func theAnswerIsThatOfTheScenarios(allSucceed: Bool) throws {
      let model = try PublishedBoot().pond.model()
      let scenarios = model.scenarios(limit: 1)
      var plan = SimulationPlan()
      if !allSucceed {
        for pebble in model.names.indices { plan.failures[pebble] = "no" }
      }
      let run = Simulator(model, plan).run()

      try Browser.using { browser in
        for position in Thoroughness.some(of: Array(model.names.indices)) {
          let name = model.names[position]
          try browser.open(run.page(), fragment: "#pebble=\(name)")
          try browser.press("f")
          // Of a body that did not run it is supposed first that it would fail.
          let fails = run.pebbles[position].outcome.isFailed ? false : true
          let failing = model.names.indices.filter {
            $0 == position ? fails : run.pebbles[$0].outcome.isFailed
          }
          let ending = try scenarios.ending(failing: failing.map { .named(model.names[$0]) })
          #expect(
            try browser.text(Self.answer) == Self.expected(ending, run, asking: position),
            "\(name)")
        }
        #expect(try browser.complaints().isEmpty)
      }
    }

    private static func expected(_ ending: Ending, _ run: RecordedRun, asking: Int) -> String {
      let names = run.model.names
      let kinds = ending.skipKinds
      let changed = names.indices.filter {
        run.pebbles[$0].outcome.isCompleted != ending.outcomes[$0].isCompleted
          || run.pebbles[$0].outcome.isFailed != (ending.outcomes[$0] == .failed)
          || run.skipKinds[$0] != kinds[$0]
      }
      let others = changed.filter { $0 != asking }
      let groups = [
        ("would run", others.filter { kinds[$0] == nil }),
        ("would be blocked", others.filter { kinds[$0] == .blocked }),
        ("would not be needed", others.filter { kinds[$0] == .notNeeded }),
      ]
      let lists = groups.filter { !$0.1.isEmpty }.map { verb, pebbles in
        "\(pebbles.count) pebble\(pebbles.count == 1 ? "" : "s") \(verb): "
          + pebbles.map { names[$0] }.joined(separator: ", ")
      }
      return changed.map { names[$0] }.sorted().joined(separator: ",") + " | "
        + lists.joined(separator: " | ")
    }
  }
}
