import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the representations of cases: their texts, their encoded form, and the sets of cases
/// that hold.
@Suite struct PebbleCaseTests {
  // MARK: Words

  @Test(arguments: [
    ("locked", "locked"), ("v2", "v2"), ("42", "42"), ("e-1", "e-1"), ("a_b.c", "a_b.c"),
    ("Übung", "Übung"), ("two words", "\"two words\""), ("a&b", "\"a&b\""), ("", "\"\""),
  ])
  func aNameStandsInQuotesUnlessItIsOneWord(name: String, shown: String) {
    #expect(PebbleCase.failed(name).past == "failed as \(shown)")
    #expect(PebbleCase.succeeded(name).infinitive == "succeed as \(shown)")
    #expect(PebbleCase.is(name).caption == "with \(shown)")
  }

  @Test func aNameOfSixtyCharactersIsShownInFullAndALongerOneIsCut() {
    for space in ["x", " "] {
      let name = "x\(space)" + String(repeating: "x", count: 58)
      let quote = space == " " ? "\"" : ""

      #expect(PebbleCase.is(name).caption == "with \(quote)\(name)\(quote)")
      #expect(PebbleCase.is(name + "x").caption == "with \(quote)\(name.dropLast())…\(quote)")
    }
  }

  @Test func aPebbleDidNotDoWhatItWasNeededNotToDo() {
    func literal(_ one: PebbleCase?, _ outcomes: OutcomeSet) -> DecidingClause.Literal {
      DecidingClause.Literal(pebble: 0, row: 0, outcomes: outcomes, pebbleCase: one, label: nil)
    }
    let locked = PebbleCase.failed("locked")
    let holds = literal(locked, .succeeded)
    let doesNot = literal(locked, OutcomeSet.succeeded.complement)

    #expect(holds.infinitive == "fail as locked")
    #expect(holds.fulfilment == nil)
    #expect(doesNot.infinitive == "not fail as locked")
    #expect(doesNot.fulfilment == "did not fail as locked")
    #expect(literal(nil, .failed).fulfilment == nil)
  }

  // MARK: Files

  private static let files: [(PebbleCase, String)] = [
    (.failed("a"), #"{"kind":"failed","name":"a"}"#),
    (.succeeded(""), #"{"kind":"succeeded","name":""}"#),
    (.is("x y"), #"{"kind":"is","name":"x y"}"#), (.timedOut, #"{"kind":"timedOut"}"#),
  ]

  @Test(arguments: files)
  func aCaseComesBackAsItWas(one: PebbleCase, text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys

    let data = try encoder.encode(one)

    #expect(String(decoding: data, as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(PebbleCase.self, from: data) == one)
  }

  @Test func aKindThatThereIsNotIsNamed() {
    let word = String(repeating: "x", count: 61)

    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PebbleCase.self, from: Data(#"{"kind":"\#(word)"}"#.utf8))
    }

    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      context.debugDescription
        == "no case is \"\(word.prefix(59))…\", or it has no name")
  }

  // MARK: Answers

  @Test func aValueSaidTwiceIsSaidOnce() throws {
    let list = CaseList([.is("a"), .is("b"), .succeeded("x")], isExhaustive: true)

    let once = try list.set(of: [.is("b"), .succeeded("x")], succeeded: true)
    let twice = try list.set(
      of: [.is("b"), .is("b"), .succeeded("x"), .is("b")], succeeded: true)

    #expect(once == twice)
    #expect(list[once] == [.is("b"), .succeeded("x")])
    #expect(throws: ImpossibleCase.self) {
      try list.set(of: [.is("b"), .is("a")], succeeded: true)
    }
  }

  @Test(arguments: [
    [PebbleCase.failed("locked"), .timedOut], [PebbleCase.timedOut, .failed("locked")],
  ])
  func atATimeoutTheOtherFailureIsWhatCannotBe(held: [PebbleCase]) {
    let list = CaseList([.failed("locked"), .timedOut])

    let error = #expect(throws: ImpossibleCase.self) { try list.set(of: held, succeeded: false) }

    let clause = "as failed(\"locked\"), which a timeout cannot have: nothing was thrown"
    #expect(error?.clause == clause)
  }

  @Test func aTimeoutSaidTwiceIsSaidOnce() throws {
    let list = CaseList([.failed("locked"), .timedOut])

    let twice = try list.set(of: [.timedOut, .timedOut], succeeded: false)

    #expect(list[twice] == [.timedOut])
  }
}
