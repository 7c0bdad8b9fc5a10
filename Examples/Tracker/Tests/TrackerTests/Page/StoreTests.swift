import Foundation
import Testing

@testable import TrackerCore

/// Tests for the page's reducer, which takes actions and returns states and commands. They need no
/// page.
@Suite(.enabled(if: StoreScript.isInstalled, Comment(rawValue: StoreScript.howToInstall)))
struct StoreTests {
  @Test func openingAsksForTheNewest() async throws {
    try await expect(
      "opened('')", "idle→loading", "remember()", "ask(1, '', null)")
    try await expect(
      "opened('  falcon   9 ')", "idle→loading", "remember(falcon 9)",
      "ask(1, 'falcon 9', null)")
  }

  @Test func typingWaitsForAPause() async throws {
    try await expect("shown, typed('f')", "ready→ready", "wait(300)")
    try await expect("shown, typed('f'), typed('fa')", "ready→ready", "wait(300)")
    try await expect(
      "shown, typed('f'), typed('fa'), paused", "ready→loading", "remember(fa)",
      "ask(2, 'fa', null)")
  }

  @Test func whatIsShownIsNotAskedForAgain() async throws {
    try await expect("shown, typed('x'), typed('')", "ready→ready", "stopWaiting")
    try await expect("shown, typed(' ')", "ready→ready")
    try await expect("shown, typed('x'), typed(' '), paused", "ready→ready")
    try await expect("shown, submitted", "ready→ready")
    try await expect(
      "shown, typed('fa'), paused, typed('fa '), submitted", "loading→loading")
  }

  @Test func aPauseThatComesTooLateIsNone() async throws {
    try await expect("shown, typed('x'), submitted, paused", "loading→loading")
    try await expect("shown, paused", "ready→ready")
  }

  @Test func enterDoesNotWait() async throws {
    try await expect(
      "shown, typed('x'), submitted", "ready→loading", "stopWaiting", "remember(x)",
      "ask(2, 'x', null)")
  }

  @Test func whatIsOutOfDateIsCancelled() async throws {
    try await expect(
      "shown, typed('x'), paused, typed('xy'), paused", "loading→loading", "cancel(2)",
      "remember(xy)", "ask(3, 'xy', null)")
    try await expect(
      "first('c'), reachedEnd, typed('xy'), paused", "extending→loading", "cancel(2)",
      "remember(xy)", "ask(3, 'xy', null)")
  }

  @Test func anAnswerThatIsOutOfDateChangesNothing() async throws {
    let late = "shown, typed('x'), paused, typed('y'), paused"
    try await expect("\(late), answered(2, ['late'])", "loading→loading")
    try await expect("\(late), failed(2, 'late')", "loading→loading")
    #expect(
      try await StoreScript.value(
        "names(after(\(late), answered(3, ['new']), answered(2, ['late'])))")
        == "new")
    #expect(
      try await StoreScript.value(
        "names(after(\(late), answered(2, ['late']), answered(3, ['new'])))")
        == "new")
  }

  @Test func anAnswerThatComesTwiceCountsOnce() async throws {
    #expect(
      try await StoreScript.value(
        "names(after(first('c'), reachedEnd, answered(2, ['b']), answered(2, ['b', 'x'])))")
        == "a,b")
  }

  @Test func theEndOfTheListAsksForMoreAndOnlyOnce() async throws {
    try await expect("first('c'), reachedEnd", "ready→extending", "ask(2, '', 'c')")
    try await expect("first('c'), reachedEnd, reachedEnd", "extending→extending")
    try await expect("first(null), reachedEnd", "ready→ready")
    #expect(
      try await StoreScript.value(
        "names(after(first('c'), reachedEnd, answered(2, ['b', 'a', 'b'])))")
        == "a,b")
  }

  @Test func aFailureCanBeTriedAgain() async throws {
    let failure = "shown, typed('x'), paused, failed(2, 'no')"
    try await expect(failure, "loading→failed")
    try await expect("\(failure), reachedEnd", "failed→failed")
    try await expect(
      "\(failure), retried", "failed→loading", "remember(x)", "ask(3, 'x', null)")
    try await expect(
      "\(failure), submitted", "failed→loading", "remember(x)", "ask(3, 'x', null)")
    try await expect("shown, retried", "ready→ready")
    #expect(try await StoreScript.value("names(after(\(failure)))") == "")
  }

  @Test func aFailureOfTheNextPageKeepsWhatIsShown() async throws {
    let failure = "first('c'), reachedEnd, failed(2, 'no')"
    #expect(try await StoreScript.value("names(after(\(failure)))") == "a")
    try await expect("\(failure), retried", "failed→extending", "ask(3, '', 'c')")
    #expect(
      try await StoreScript.value("names(after(\(failure), retried, answered(3, ['b'])))") == "a,b")
  }

  @Test func theReducerIsPure() async throws {
    #expect(
      try await StoreScript.value(
        """
        (() => {
          const freeze = value => {
            if (typeof value === "object" && value !== null) {
              Object.values(value).forEach(freeze);
              Object.freeze(value);
            }
            return value;
          };
          let state = freeze(store.initial);
          for (const action of [opened(''), answered(1, ['a'], 'c'), reachedEnd,
            answered(2, ['b']), typed('x'), paused, failed(3, 'no'), retried]) {
            const once = () => JSON.stringify(store.reduce(state, freeze(action)));
            const [one, two] = [once(), once()];
            if (one !== two) return "differs";
            state = freeze(store.reduce(state, action).state);
          }
          return "pure";
        })()
        """) == "pure")
  }

  @Test(arguments: [
    "null", "1", "'text'", "[]", "{}", "{launches: {}}", "{launches: [null]}", "{launches: [{}]}",
    "{launches: [{id: 1, name: 'a'}]}", "{launches: [{id: 'a', name: {}}]}",
    "{launches: [], next: 5}", "{launches: [], next: {}}", "{launches: []}",
    "{launches: [], total: -1, all: 0}", "{launches: [], total: 1, all: 'x'}",
  ])
  func whatIsNoPageIsRefused(value: String) async throws {
    let attempt =
      "(() => { try { store.page(\(value)); } catch (error) { return error.message; } })()"

    let sentence = try await StoreScript.value(attempt)
    #expect(sentence.hasSuffix("."))
    #expect(sentence.count > 20)
  }

  @Test func whatIsOddInALaunchIsLeftOut() async throws {
    let odd = """
      store.page({launches: [{id: 'a', name: 'A', date: 1e300, details: 5, success: 'x', \
      flightNumber: 0, datePrecision: 'toString'}], total: 1, all: 1, marks: {a: 7}})
      """
    #expect(
      try await StoreScript.value("JSON.stringify(\(odd).launches[0])")
        == #"{"id":"a","name":["A"],"details":[],"number":null,"date":null,"precision":"day","#
        + #""isYearMarked":false,"upcoming":false,"success":null}"#)
  }

  @Test(arguments: [
    ("[[0, 3]]", ["", "fal", "con 🚀 é"]), ("[[7, 9], [10, 12]]", ["falcon ", "🚀", " ", "é", ""]),
    ("[]", ["falcon 🚀 é"]), ("undefined", ["falcon 🚀 é"]), ("{}", ["falcon 🚀 é"]),
    ("[[3, 2]]", ["falcon 🚀 é"]), ("[[0, 2], [1, 3]]", ["falcon 🚀 é"]),
    ("[[-1, 2]]", ["falcon 🚀 é"]), ("[[0, 99]]", ["falcon 🚀 é"]), ("[[0.5, 2]]", ["falcon 🚀 é"]),
    ("[null, 'x']", ["falcon 🚀 é"]),
  ])
  func aTextIsMarkedOnlyWhereItIs(ranges: String, parts: [String]) async throws {
    let value = try await StoreScript.value(
      "JSON.stringify(store.parts('falcon 🚀 e\u{301}', \(ranges)))")
    #expect(try JSONDecoder().decode([String].self, from: Data(value.utf8)) == parts)
  }

  @Test(arguments: [
    ("upcoming: true", 0, "To come"), ("upcoming: true", 86_401, "Was due; no result"),
    ("upcoming: true, datePrecision: 'month'", 31 * 86_400, "To come"),
    ("upcoming: true, datePrecision: 'hour'", 3_601, "Was due; no result"),
    ("success: true", 0, "Success"), ("success: false", 0, "Failure"), ("", 0, "Result not known"),
  ])
  func whatIsToComeInThePastSaysSo(facts: String, now: Int, words: String) async throws {
    let page = "store.page({launches: [{id: 'a', name: 'A', date: 0, \(facts)}], total: 1, all: 1})"
    #expect(try await StoreScript.value("store.result(\(page).launches[0], \(now))[1]") == words)
  }

  @Test func aDateIsToldAsExactlyAsItIsKnown() async throws {
    let texts = try await StoreScript.value(
      """
      ['hour', 'day', 'month', 'quarter', 'half', 'year']
        .map(precision => store.dateText({ date: 1619171340, precision })).join()
      """)
    #expect(texts == "23 April 2021,23 April 2021,April 2021,2021,2021,2021")
  }

  @Test func whatThePageCameWithIsNotAskedFor() async throws {
    let page = "{ launches: [{id: 'a'}], next: 'c', total: 2, all: 3 }"
    try await expect("{ type: 'opened', text: ' x ', page: \(page) }", "idle→ready")
    try await expect("{ type: 'opened', text: 'x', page: \(page) }, submitted", "ready→ready")
    try await expect(
      "{ type: 'opened', text: '', page: \(page) }, reachedEnd", "ready→extending",
      "ask(1, '', 'c')")
    try await expect("{ type: 'opened', text: 'x', sentence: 'No.' }", "idle→failed")
    try await expect(
      "{ type: 'opened', text: 'x', sentence: 'No.' }, retried", "failed→loading", "remember(x)",
      "ask(1, 'x', null)")
  }

  @Test(arguments: [
    ("opened('')", "Searching…"), ("opened(''), answered(1, ['a'])", "1 launch"),
    ("opened(''), answered(1, ['a'], 'c', 1205)", "1,205 launches"),
    ("first('c'), reachedEnd", "1 launch, and more are on their way"),
    ("opened('x'), answered(1, [], null, 205)", "None of 205 launches with “x”"),
    ("opened('x'), answered(1, ['a'], null, 205)", "1 of 205 launches with “x”"),
    ("opened(''), answered(1, [])", "There are no launches yet."),
  ])
  func theStateIsSaidInWords(actions: String, words: String) async throws {
    #expect(try await StoreScript.value("store.summary(after(\(actions)))") == words)
  }

  /// Expects that the last of the given actions leads to the given phases and commands.
  private func expect(
    _ actions: String, _ phases: String, _ commands: String...,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let said = try await StoreScript.value("last(\(actions))")
    #expect(said == ([phases] + commands).joined(separator: "; "), sourceLocation: location)
  }
}
