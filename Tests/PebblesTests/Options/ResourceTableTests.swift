import Testing

@testable import Pebbles

@Suite struct ResourceTableTests {
  typealias Use = ResourceTable.Use

  private static let names = ["load", "store", "migrate"]

  private static func compile(
    _ uses: [UInt32: [ResourceUse]], maxConcurrent: Int? = nil
  ) -> (table: ResourceTable, faults: [PondError.Fault]) {
    var compiler = ResourceCompiler(names: names, uses: uses, maxConcurrent: maxConcurrent)
    let table = compiler.compile()
    return (table, compiler.faults)
  }

  // MARK: - The table

  @Test func aPondWithoutLimitsIsUnlimited() {
    let (table, faults) = Self.compile([:])

    #expect(table.isUnlimited)
    #expect(table.uses(of: 2).isEmpty)
    #expect(faults.isEmpty)
  }

  @Test func aLimitOnRunningPebblesIsALimit() {
    let (table, faults) = Self.compile([:], maxConcurrent: 1)

    #expect(!table.isUnlimited)
    #expect(table.maxConcurrent == 1)
    #expect(faults.isEmpty)
  }

  @Test func resourcesAreNumberedInDefinitionOrder() {
    let (table, faults) = Self.compile([
      2: [.resource("disk", capacity: 1), .resource("connections", units: 3)],
      0: [.resource("connections", capacity: 4)],
    ])

    #expect(table.capacities == [4, 1])
    #expect(Array(table.uses(of: 0)) == [Use(resource: 0, units: 1)])
    #expect(table.uses(of: 1).isEmpty)
    #expect(
      Array(table.uses(of: 2)) == [Use(resource: 0, units: 3), Use(resource: 1, units: 1)])
    #expect(faults.isEmpty)
  }

  @Test func capacityMayBeGivenLaterAndRepeated() {
    let (table, faults) = Self.compile([
      0: [.resource("connections")],
      1: [.resource("connections", capacity: 4)],
      2: [.resource("connections", capacity: 4)],
    ])

    #expect(table.capacities == [4])
    #expect(faults.isEmpty)
  }

  @Test func usesOfOneResourceByOnePebbleAddUp() {
    let (table, faults) = Self.compile([
      0: [.resource("a", capacity: 5, units: 2), .resource("b", capacity: 1), .resource("a")]
    ])

    #expect(
      Array(table.uses(of: 0)) == [Use(resource: 0, units: 3), Use(resource: 1, units: 1)])
    #expect(faults.isEmpty)
  }

  @Test func anExclusiveKeyAndAResourceOfTheSameNameAreTwoThings() {
    let (table, faults) = Self.compile([
      0: [.exclusive("database"), .resource("database", capacity: 4)],
      1: [.exclusive("database"), .exclusive("database")],
    ])

    #expect(table.capacities == [1, 4])
    #expect(
      Array(table.uses(of: 0)) == [Use(resource: 0, units: 1), Use(resource: 1, units: 1)])
    #expect(Array(table.uses(of: 1)) == [Use(resource: 0, units: 1)])
    #expect(faults.isEmpty)
  }

  // MARK: - Faults

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let uses: [UInt32: [ResourceUse]]
    let faults: [PondError.Fault]

    init(_ description: String, _ uses: [UInt32: [ResourceUse]], _ faults: [Int: [String]]) {
      testDescription = description
      self.uses = uses
      self.faults = faults.sorted { $0.key < $1.key }.flatMap { pebble, clauses in
        clauses.map { .invalidOption(pebble: ResourceTableTests.names[pebble], problem: $0) }
      }
    }
  }

  private static let cases = [
    Case(
      "no capacity", [1: [.resource("x", capacity: 0)]],
      [1: [#"gives the resource "x" the capacity 0; give it 1 or more"#]]),
    Case(
      "a negative capacity", [1: [.resource("x", capacity: .min)], 2: [.resource("x")]],
      [1: [#"gives the resource "x" the capacity \#(Int.min); give it 1 or more"#]]),
    Case(
      "no units", [0: [.resource("x", capacity: 1, units: 0)]],
      [0: [#"uses 0 units of the resource "x"; use 1 or more"#]]),
    Case(
      "negative units", [0: [.resource("x", capacity: 1, units: -3)]],
      [0: [#"uses -3 units of the resource "x"; use 1 or more"#]]),
    Case(
      "more units than there are",
      [0: [.resource("x", units: 5)], 1: [.resource("x", capacity: 4)]],
      [
        0: [
          #"uses 5 units of the resource "x", which has 4; use fewer or raise its capacity"#
        ]
      ]),
    Case(
      "more units in sum",
      [0: [.resource("x", capacity: 4, units: 3), .resource("x", units: 2)]],
      [
        0: [
          #"uses 5 units of the resource "x", which has 4; use fewer or raise its capacity"#
        ]
      ]),
    Case(
      "a sum that overflows",
      [0: [.resource("x", capacity: .max, units: .max), .resource("x", units: .max)]],
      [
        0: [
          #"uses more units than can be counted of the resource "x", which has \#(Int.max); "#
            + "use fewer or raise its capacity"
        ]
      ]),
    Case(
      "two capacities",
      [
        0: [.resource("x", capacity: 4)], 1: [.resource("x", capacity: 4)],
        2: [.resource("x", capacity: 5, units: 5)],
      ],
      [2: [#"gives the resource "x" the capacity 5, but "load" gives it 4; give it only one"#]]),
    Case(
      "two capacities by one pebble",
      [0: [.resource("x", capacity: 4), .resource("x", capacity: 5)]],
      [0: [#"gives the resource "x" the capacity 5, but "load" gives it 4; give it only one"#]]),
    Case(
      "a valid capacity after one that is not",
      [0: [.resource("x", capacity: 0)], 1: [.resource("x", capacity: 2, units: 3)]],
      [
        0: [#"gives the resource "x" the capacity 0; give it 1 or more"#],
        1: [
          #"uses 3 units of the resource "x", which has 2; use fewer or raise its capacity"#
        ],
      ]),
    Case(
      "an unknown resource",
      [0: [.resource("x")], 1: [.resource("x"), .resource("x")], 2: [.exclusive("x")]],
      [
        0: [unknown], 1: [unknown],
      ]),
    Case(
      "empty names", [0: [.resource("", capacity: 1)], 1: [.exclusive("")]],
      [
        0: ["uses a resource with an empty name; give it one"],
        1: ["has an empty exclusive key; give it a name"],
      ]),
    Case(
      "everything at once",
      [1: [.resource("x", capacity: -1, units: 0), .resource(""), .resource("y", units: 0)]],
      [
        1: [
          "uses a resource with an empty name; give it one",
          #"gives the resource "x" the capacity -1; give it 1 or more"#,
          #"uses 0 units of the resource "x"; use 1 or more"#,
          #"uses 0 units of the resource "y"; use 1 or more"#,
          #"uses the unknown resource "y"; give it a capacity in one of the pebbles that use it"#,
        ]
      ]),
  ]

  private static let unknown =
    #"uses the unknown resource "x"; give it a capacity in one of the pebbles that use it"#

  @Test(arguments: cases)
  func wrongUsesAreFaultsOfTheirPebbles(example: Case) {
    let (table, faults) = Self.compile(example.uses)

    #expect(faults == example.faults)
    for pebble in 0..<3 {
      #expect(
        table.uses(of: UInt32(pebble)).allSatisfy {
          (1...table.capacities[$0.resource]).contains($0.units)
        })
    }
  }

  @Test(arguments: [0, -1, .min])
  func aLimitBelowOneIsAFaultOfThePond(limit: Int) {
    let (table, faults) = Self.compile([0: [.resource("")]], maxConcurrent: limit)

    #expect(
      faults == [
        .invalidPond(
          problem: "lets at most \(limit) pebbles run at a time; make that 1 or more"),
        .invalidOption(
          pebble: "load", problem: "uses a resource with an empty name; give it one"),
      ])
    #expect(table.maxConcurrent == 1)
  }

  @Test(arguments: HostileNames.all)
  func hostileNamesStayInTheirSentence(name: String) throws {
    let (_, faults) = Self.compile([0: [.resource(name)]])

    let sentence = try #require(faults.first?.description)
    // What joins emoji is part of how they look.
    #expect(sentence.unicodeScalars.allSatisfy { !$0.isInvisible || $0 == "\u{200D}" })
    #expect(sentence.utf8.count < 5_000)
  }
}
