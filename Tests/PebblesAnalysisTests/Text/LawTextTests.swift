import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@Suite struct LawTextTests {
  private let pond = Pond("boot")
  private let pebbles: [Pebble<Void>]
  private let model: PondModel

  init() throws {
    pebbles = ["home", "off line", "never", "exactly"].map { [pond] in pond.pebble($0) {} }
    model = try pond.model()
  }

  @Test func everyLawThatPrintsReadsBack() throws {
    let (a, b) = (pebbles[0].completed, pebbles[1].failed || pebbles[2].failed)
    let laws: [Law] = [
      .always(a), .never(b), .exactlyOne(of: a, b, a), .atMostOne(of: a, b), .implies(a, b),
      .eventually(b, whenever: a), .always(.always), .never(.never), .never(.always),
      .always(pebbles[2].failed), .never(pebbles[2].failed), .implies(pebbles[3].failed, a),
      .exactlyOne(of: pebbles[3].failed),
    ]

    for law in laws {
      #expect(try model.law(law.description).description == law.description)
    }
  }

  @Test(arguments: [
    ("home.completed", "always home.completed"),
    ("never", "always .never"), ("never.failed", "always never.failed"),
    ("exactly.failed implies home.failed", "exactly.failed implies home.failed"),
    ("never never.failed", "never never.failed"),
  ])
  func aConditionAloneIsAlwaysTrue(_ text: String, _ printed: String) throws {
    #expect(try model.law(text).description == printed)
  }

  @Test(arguments: [
    ("exactly two of home.failed", "line 1, column 9: there should be \"one\" here, not \"two\""),
    (
      "at most one of",
      "line 1, column 15: there should be a condition here, such as "
        + "login.succeeded, not the end"
    ),
    (
      "home.failed whenever home.failed",
      "line 1, column 13: there should be &&, ||, implies or "
        + "the end here, not \"whenever\""
    ),
  ])
  func whatIsWrongIsSaidWithItsPlace(_ text: String, _ sentence: String) throws {
    let error = try #require(throws: TextError.self) { try model.law(text) }

    #expect(error.description == sentence)
  }

  @Test func lawsThatWereReadAreCheckedLikeOthers() throws {
    let boot = PublishedBoot()
    let scenarios = try boot.pond.scenarios()
    let text = Law.exactlyOne(of: boot.screens.map(\.completed)).description

    let law = try scenarios.model.law(text)

    #expect(try scenarios.check(law).counterexample?.failed == ["queryCloud"])
  }
}
