import Testing

@testable import Pebbles

@Suite struct ReasonTests {
  @Test(arguments: [
    (SkipReason.conditionFalse(decidedBy: "a b"), "conditionFalse(decidedBy: \"a b\")"),
    (.conditionFalse(decidedBy: nil), "conditionFalse(decidedBy: nil)"),
    (.stalled(waitingOn: ["a", "b"]), "stalled(waitingOn: [\"a\", \"b\"])"),
    (.cancelled, "cancelled"),
    (.disabled, "disabled"), (.notInRun, "notInRun"),
  ])
  func aReasonToBeSkippedReadsAsItIsWritten(reason: SkipReason, text: String) {
    #expect("\(reason)" == text)
  }

  @Test func aFalseConditionSaysWhichPebbleDecidedIt() {
    let decided = SkipReason.conditionFalse(decidedBy: "ping")
    let falseFromTheStart = SkipReason.conditionFalse(decidedBy: nil)

    #expect(decided.isConditionFalse && falseFromTheStart.isConditionFalse)
    #expect(decided.decidedBy == "ping" && falseFromTheStart.decidedBy == nil)
    #expect(!decided.isStalled && decided.waitingOn.isEmpty)
    #expect(decided != falseFromTheStart)
  }

  @Test func aStallSaysWhatThePebbleWaitedFor() {
    let stalled = SkipReason.stalled(waitingOn: ["a", "b"])

    #expect(stalled.isStalled && !SkipReason.cancelled.isStalled)
    #expect(stalled.waitingOn == ["a", "b"])
    #expect(!stalled.isConditionFalse && stalled.decidedBy == nil)
  }

  @Test func aCancellationSaysByWhom() {
    let reasons: [RunCancellation] = [
      .failure(of: "ping"), .serviceEnded("http"), .signal(.terminate), .requested,
    ]

    #expect(reasons.map(\.failedPebble) == ["ping", nil, nil, nil])
  }
}
