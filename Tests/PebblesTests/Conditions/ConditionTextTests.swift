import Testing

@testable import Pebbles

@Suite struct ConditionTextTests {
  private let pond = Pond("text")
  private let a: Pebble<Void>
  private let b: Pebble<Void>
  private let c: Pebble<Void>

  init() {
    a = pond.pebble("a") {}
    b = pond.pebble("b") {}
    c = pond.pebble("c") {}
  }

  @Test func everyAtomIsWrittenAsItIsInSwift() {
    #expect(a.succeeded.description == "a.succeeded")
    #expect(a.failed.description == "a.failed")
    #expect(a.skipped.description == "a.skipped")
    #expect(a.completed.description == "a.completed")
    #expect(a.settled.description == "a.settled")
  }

  @Test func aNegatedAtomHasAWordOfItsOwnWhereThereIsOne() {
    #expect((!a.succeeded).description == "!a.succeeded")
    #expect((!a.failed).description == "!a.failed")
    #expect((!a.skipped).description == "a.completed")
    #expect((!a.completed).description == "a.skipped")
    #expect((!a.settled).description == "!a.settled")
    #expect((!(!a.succeeded)).description == "a.succeeded")
  }

  @Test func andBindsTighterThanOr() {
    #expect((a.failed && b.failed || c.failed).description == "a.failed && b.failed || c.failed")
    #expect((a.failed || b.failed && c.failed).description == "a.failed || b.failed && c.failed")
    #expect(
      (a.completed && (b.failed || !c.succeeded)).description
        == "a.completed && (b.failed || !c.succeeded)")
    #expect(
      ((a.failed || b.failed) && c.failed).description == "(a.failed || b.failed) && c.failed")
  }

  @Test func notBindsTighterThanBothAndIsNeverDoubled() {
    #expect((!(a.failed && b.failed)).description == "!(a.failed && b.failed)")
    #expect(
      (!(a.failed || b.failed) && c.failed).description == "!(a.failed || b.failed) && c.failed")
    #expect((!(!(a.failed && b.failed))).description == "!(!(a.failed && b.failed))")
    #expect((!Condition.all([!a.succeeded])).description == "!(!a.succeeded)")
  }

  @Test func constantsAreWrittenAsImplicitMembers() {
    #expect(Condition.always.description == ".always")
    #expect(Condition.never.description == ".never")
    #expect((!Condition.always).description == ".never")
    #expect((!Condition.never).description == ".always")
    #expect((a.failed || .never).description == "a.failed || .never")
  }

  @Test func allAndAnyAreWrittenWithTheirOperators() {
    #expect(
      Condition.all(a.failed, b.failed, c.failed).description == "a.failed && b.failed && c.failed")
    #expect(
      Condition.any(a.failed, b.failed, c.failed).description == "a.failed || b.failed || c.failed")
    #expect(
      Condition.all([.any([a.failed, b.failed]), c.failed]).description
        == "(a.failed || b.failed) && c.failed")
    #expect(
      Condition.any([.all([a.failed, b.failed]), c.failed]).description
        == "a.failed && b.failed || c.failed")
  }

  @Test func emptyAndSingletonListsNeedNoOperator() {
    #expect(Condition.all([]).description == ".always")
    #expect(Condition.any([]).description == ".never")
    #expect(Condition.all().description == ".always")
    #expect(Condition.any().description == ".never")
    #expect(Condition.all([a.failed]).description == "a.failed")
    #expect(Condition.any([a.failed]).description == "a.failed")
    #expect((!Condition.any([a.failed || b.failed])).description == "!(a.failed || b.failed)")
    #expect((!Condition.all([])).description == "!.always")
  }

  @Test func aLabelIsAMemberAccess() {
    #expect(a.failed.labeled("down").description == "a.failed.labeled(\"down\")")
    #expect(
      (a.failed && b.failed).labeled("both down").description
        == "(a.failed && b.failed).labeled(\"both down\")")
    #expect((!a.succeeded).labeled("down").description == "(!a.succeeded).labeled(\"down\")")
    #expect((!a.failed.labeled("down")).description == "!a.failed.labeled(\"down\")")
    #expect(
      (!(a.failed && b.failed)).labeled("up").description
        == "(!(a.failed && b.failed)).labeled(\"up\")")
    #expect(
      a.failed.labeled("x").labeled("y").description == "a.failed.labeled(\"x\").labeled(\"y\")")
    #expect(
      a.failed.labeled("say \"no\"\n").description == "a.failed.labeled(\"say \\\"no\\\"\\n\")")
  }

  @Test func anyConditionOfTenThousandLeavesIsWrittenInFull() {
    let wide = Condition.any((0..<10_000).map { _ in a.failed })

    #expect(wide.description.split(separator: " || ").count == 10_000)
    #expect((!wide).description.hasSuffix("a.failed)"))
  }

  @Test func leavesBeyondTenThousandAreElided() {
    let wide = Condition.any((0..<10_001).map { _ in a.failed })

    let parts = wide.description.split(separator: " || ")

    #expect(parts.count == 10_001)
    #expect(parts.last == "…")
  }
}
