import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of questions about all scenarios, which are answered by a sample if possible, and
/// otherwise by a solver.
@Suite struct ScenarioSearchTests {
  private let pond = Pond("boot")

  private func search() throws -> ScenarioSearch {
    let model = try pond.model()
    return ScenarioSearch(model, Circuit(model.pond))
  }

  // MARK: Work

  @Test func whatASampleShowsIsNotPutToTheSolver() throws {
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.failed) {}
    var search = try search()
    let before = search.formula.solver.work

    for facts: [ScenarioSearch.Fact] in [[.failed(0), .ran(1)], [.skipped(1)], [.failed(1)]] {
      guard case .possible(.lane) = search.find(facts) else {
        Issue.record("\(facts) was not found in the sample")
        return
      }
    }

    #expect(search.formula.solver.work == before)
  }

  @Test(arguments: [(2_000, 0), (2_001, 1)])
  func questionOfTwoThousandFactsIsDecided(count: Int, undecided: Int) throws {
    pond.pebble("load") {}
    var search = try search()

    let answer = search.find(Array(repeating: .failed(0), count: count))

    #expect(search.undecidedCount == undecided)
    if case .undecided = answer { #expect(undecided == 1) } else { #expect(undecided == 0) }
  }

  /// Checks that a single question does not use up the work for all. The question is whether nine
  /// guests can each have one of eight seats, which takes a solver of this kind very long to
  /// refute.
  @Test func oneQuestionTakesNoMoreThanItsShareOfTheWork() throws {
    let (guests, seats) = (9, 8)
    let sits = (0..<guests).map { guest in
      (0..<seats).map { pond.pebble("\(guest) on \($0)") {}.succeeded }
    }
    var rules = sits.map(Condition.any)
    for seat in 0..<seats {
      for guest in 0..<guests {
        for other in 0..<guest { rules.append(!(sits[guest][seat] && sits[other][seat])) }
      }
    }
    pond.pebble("seated", when: .all(rules)) {}
    var search = try search()
    let before = search.formula.solver.work

    let answer = search.find(.ran(guests * seats))

    guard case .undecided = answer else {
      Issue.record("\(answer)")
      return
    }
    let work = search.formula.solver.work - before
    #expect(ScenarioSearch.mostWorkPerQuestion...(2 * ScenarioSearch.mostWorkPerQuestion) ~= work)
    #expect(search.undecidedCount == 1)
  }

  @Test func workOnQuestionsIsNoted() throws {
    for number in 0..<10 { pond.pebble("\(number)") {} }
    let progress = AnalysisProgress()

    let lint = AnalysisProgress.$current.withValue(progress) { pond.lint() }

    #expect(progress.state.steps >= 10)
    #expect(lint.of(.notDecided).isEmpty)
  }

  /// Checks that the pebbles that can decide about a pebble are collected only once. Both pebbles
  /// of each level are read by both pebbles of the next, so 67 million paths lead to the last
  /// pebble.
  @Test func whatDecidesAboutAPebbleIsGatheredOnce() throws {
    var level = [pond.pebble("first") {}, pond.pebble("other") {}]
    for number in 1...26 {
      let condition = level[0].succeeded && level[1].succeeded
      level = ["a", "b"].map { pond.pebble("\($0)\(number)", when: condition) {} }
    }
    var search = try search()

    let facts: [ScenarioSearch.Fact] = [.signal(.init(52, .succeeded)), .failed(0)]
    #expect(search.find(facts).isImpossible)
  }

  // MARK: Decisions

  /// Checks that a contradiction that the solver can find only by trial is found for both pebbles
  /// that depend on it.
  @Test func contradictionThatHasToBeTriedOutIsFoundEachTime() throws {
    let (one, other) = (pond.pebble("one") {}.succeeded, pond.pebble("other") {}.succeeded)
    let (third, rest) = (pond.pebble("third") {}.succeeded, pond.pebble("rest") {}.succeeded)
    let contradiction =
      (one || other) && (one || !other) && (!one || other) && (!one || !other)
    pond.pebble("never", when: contradiction && third) {}
    pond.pebble("neither", when: contradiction && rest) {}

    #expect(pond.lint().of(.neverTrue).map(\.pebbles) == [["never"], ["neither"]])
  }

  // MARK: Examples

  /// Adds twenty pebbles, and returns a condition that is true only if each of them ends in a
  /// certain way. No sample contains such a scenario.
  private func rare() -> (pattern: Condition, failing: [String]) {
    let pebbles = (0..<20).map { pond.pebble("p\($0)") {} }
    let pattern = pebbles.enumerated().map { $0.isMultiple(of: 3) ? $1.failed : $1.succeeded }
    return (.all(pattern), stride(from: 0, to: 20, by: 3).map { "p\($0)" })
  }

  @Test func rareScenarioIsFoundAndShownAsAnExample() throws {
    let (pattern, failing) = rare()
    let cache = pond.pebble("cache", .enabled { true }) {}
    let load = pond.pebble("load") {}
    pond.pebble("notice", when: load.failed && !(pattern && cache.skipped)) {}

    let finding = try #require(pond.lint(also: [.unhandledFailure]).about("load").first)

    #expect(finding.example?.failing == failing + ["load"])
    #expect(finding.example?.disabled == ["cache"])
  }

  @Test func rareScenarioInWhichAPebbleOfACycleIsDisabledIsFound() throws {
    let pattern = rare().pattern
    let left = pond.pebble("left", .enabled { true }) {}
    let right = pond.pebble("right", when: left.succeeded) {}
    left.ready = pattern || right.completed || right.skipped
    let notice = pond.pebble("notice", when: pattern && left.skipped) {}

    let lint = pond.lint()

    #expect(lint.of(.neverTrue).isEmpty, "\(lint)")
    #expect(lint.about(notice.name).isEmpty)
  }
}
