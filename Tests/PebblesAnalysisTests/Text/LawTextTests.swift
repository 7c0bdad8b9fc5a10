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

  @Test func lawsOfAnyLengthReadBackWithTheSameMeaning() throws {
    let pond = Pond("long")
    let many = (0..<25).map { pond.pebble("m\($0)") {}.completed }
    let names = ["aPebbleWithARatherLongName", "anotherPebbleWithARatherLongName"]
    let (long, other) = (pond.pebble(names[0]) {}, pond.pebble(names[1]) {})
    let condition =
      long.succeeded && other.failed || long.failed && other.succeeded
      || long.skipped && other.skipped
    let scenarios = try pond.scenarios()
    let laws: [Law] = [
      .exactlyOne(of: many), .atMostOne(of: many), .always(.any(many)), .never(condition),
      .implies(condition, .all(many)), .eventually(condition, whenever: condition),
    ]

    for law in laws {
      let readBack = try scenarios.model.law(law.description)

      #expect(law.description.count > 100)
      #expect(readBack.description == law.description)
      #expect(try scenarios.check(readBack).isKept == scenarios.check(law).isKept)
      #expect(
        try scenarios.count(where: readBack.condition) == scenarios.count(where: law.condition))
    }
  }

  @Test func ofNoConditionsNoneIsTrue() throws {
    let (one, most) = (Law.exactlyOne(of: [Condition]()), Law.atMostOne(of: [Condition]()))

    #expect(one.description == "exactly one of .never")
    #expect(try model.scenarios().check(model.law(one.description)).isKept == false)
    #expect(try model.scenarios().check(model.law(most.description)).isKept)
  }

  @Test func whatIsTooLongToPrintIsSaidToBeCutAndSentencesStayShort() throws {
    let pond = Pond("long")
    let name = String(repeating: "long", count: 1_000)
    let many = Array(repeating: pond.pebble(name) {}.completed, count: 400)
    let model = try pond.model()
    let law = Law.exactlyOne(of: many)

    let error = try #require(throws: TextError.self) { try model.law(law.description) }

    #expect(error.problem.hasPrefix("the text was cut here when it was printed"))
    #expect(law.description.utf8.count < 1_100_000)
    #expect(try model.scenarios().check(law).description.count < 1_000)
  }

  @Test(arguments: [(1_000_000, ", …"), (999_999, ", home.completed")])
  func listOfConditionsIsCutAfterAMillionBytes(length: Int, end: String) {
    let pond = Pond("long")
    let name = String(repeating: "n", count: length - ".completed".utf8.count)
    let (long, home) = (pond.pebble(name) {}, pond.pebble("home") {})

    let law = Law.exactlyOne(of: long.completed, home.completed)

    #expect(law.description == "exactly one of \(name).completed\(end)")
  }

  @Test(arguments: [
    ("home.completed", "always home.completed"),
    ("never", "always .never"), ("always", "always .always"),
    ("never.failed", "always never.failed"),
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
    // What stands behind the dot is no constant, so the word in front of it is taken for a name.
    ("always .\"x", "line 1, column 1: no pebble is named always"),
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
