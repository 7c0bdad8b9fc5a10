import Testing

@Suite struct InterfaceRecordTests {
  private let released = InterfaceRecord(text: "  a: func a()\n  b: func b()\n")

  @Test func whatDidNotChangeStaysAsItIs() {
    #expect(released.renewed(for: ["a: func a()", "b: func b()"]) == released)
    #expect(released.text == "  a: func a()\n  b: func b()\n")
  }

  @Test func whatComesAndWhatGoesIsMarked() {
    let renewed = released.renewed(for: ["b: func b()", "c: func c()"])

    #expect(renewed.text == "- a: func a()\n  b: func b()\n+ c: func c()\n")
    #expect(renewed.removed == ["a: func a()"])
    #expect(renewed.present == ["b: func b()", "c: func c()"])
  }

  @Test func whatCameAndWentBetweenReleasesLeavesNoMark() {
    let both: Set = ["a: func a()", "b: func b()"]
    let renewed = released.renewed(for: both.union(["c: func c()"])).renewed(for: both)

    #expect(renewed == released)
  }

  @Test func whatWentAndCameBackIsAsItWas() {
    let renewed = released.renewed(for: ["a: func a()"]).renewed(
      for: ["a: func a()", "b: func b()"])

    #expect(renewed == released)
  }

  @Test func aReleaseForgetsTheMarks() {
    let renewed = released.renewed(for: ["c: func c()"])

    #expect(InterfaceRecord(released: renewed.present).text == "  c: func c()\n")
  }
}
