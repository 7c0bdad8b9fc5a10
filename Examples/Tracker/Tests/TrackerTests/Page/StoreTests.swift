import Foundation
import Testing

@testable import TrackerCore

/// The reducer of the page, without a page: actions in, states and commands out.
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
    "{launches: [], next: 5}", "{launches: [], next: {}}",
  ])
  func whatIsNoPageIsRefused(value: String) async throws {
    let attempt =
      "(() => { try { store.page(\(value)); } catch (error) { return error.message; } })()"

    let sentence = try await StoreScript.value(attempt)
    #expect(sentence.hasSuffix("."))
    #expect(sentence.count > 20)
  }

  @Test func whatIsOddInALaunchIsLeftOut() async throws {
    let odd =
      "store.page({launches: [{id: 'a', name: 'A', date: 1e300, details: 5, success: 'x'}]})"
    #expect(
      try await StoreScript.value("JSON.stringify(\(odd).launches[0])")
        == #"{"id":"a","name":"A","details":"","number":null,"date":null,"result":"unknown"}"#)
  }

  @Test func theStateIsSaidInASentence() async throws {
    #expect(try await StoreScript.value("store.summary(after(opened('')))") == "Searching…")
    #expect(try await StoreScript.value("store.summary(after(first(null)))") == "1 launch.")
    #expect(
      try await StoreScript.value("store.summary(after(first('c')))")
        == "1 launch, and there are more.")
    #expect(
      try await StoreScript.value("store.summary(after(opened('x'), answered(1, [])))")
        == "No launch for “x”.")
    #expect(
      try await StoreScript.value("store.summary(after(opened(''), answered(1, [])))")
        == "There are no launches yet.")
  }

  /// What the last of some actions does to the phase, and which commands come out.
  private func expect(
    _ actions: String, _ phases: String, _ commands: String...,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let said = try await StoreScript.value("last(\(actions))")
    #expect(said == ([phases] + commands).joined(separator: "; "), sourceLocation: location)
  }
}
