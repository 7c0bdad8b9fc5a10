import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that compare decision diagrams with truth tables.
@Suite struct DiagramTests {
  /// A function of six variables, together with the 64 bits of its truth table.
  private struct Known {
    let function: BooleanFunction
    let table: UInt64
  }

  private static let variableCount = 6

  /// Returns the truth table of a variable. Bit *n* is the value of the variable if the bits of *n*
  /// are the values of all variables.
  private static func table(ofVariable number: Int) -> UInt64 {
    (0..<64).reduce(0) { $0 | UInt64($1 >> number & 1) << $1 }
  }

  /// Returns a diagram, its variables, and random functions in it.
  private static func make(
    count: Int, using generator: inout SeededGenerator
  ) throws -> (Diagram, [DiagramVariable], [Known]) {
    var diagram = Diagram(nodeLimit: 100_000)
    let variables = (0..<variableCount).map { _ in diagram.addVariable() }
    var known = try variables.map { variable in
      Known(
        function: try diagram.function(of: variable), table: table(ofVariable: variable.number))
    }
    known += [
      Known(function: .always, table: .max), Known(function: .never, table: 0),
    ]
    while known.count < count {
      let operands = (0..<3).map { _ in known[Int.random(in: 0..<known.count, using: &generator)] }
      let (left, right) = (operands[0], operands[1])
      let (functions, tables) = (operands.map(\.function), operands.map(\.table))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        known.append(Known(function: !left.function, table: ~left.table))
      case 1:
        let both = try diagram.and(left.function, right.function)
        known.append(Known(function: both, table: left.table & right.table))
      case 2:
        let one = try diagram.or(left.function, right.function)
        known.append(Known(function: one, table: left.table | right.table))
      case 3:
        known.append(Known(function: try diagram.all(functions), table: tables.reduce(.max, &)))
      default:
        known.append(Known(function: try diagram.any(functions), table: tables.reduce(0, |)))
      }
    }
    return (diagram, variables, known)
  }

  @Test(arguments: 0..<4)
  func functionsAreThoseOfTheirTruthTablesAndUnique(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (diagram, _, known) = try Self.make(count: 400, using: &generator)

    var functions: [UInt64: BooleanFunction] = [:]
    for item in known {
      let table = (0..<64).reduce(UInt64(0)) { table, row in
        let value = diagram.value(of: item.function) { row >> $0.number & 1 == 1 }
        return table | (value ? 1 : 0) << row
      }
      #expect(table == item.table)
      #expect(functions[item.table, default: item.function] == item.function)
      functions[item.table] = item.function
      #expect(diagram.solutionCount(of: item.function).exact == UInt128(table.nonzeroBitCount))
    }
    #expect(functions.count > 30)
  }

  @Test(arguments: 0..<4)
  func variablesThatAreSetOrQuantifiedAreGone(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 100 + seed)
    var (diagram, variables, known) = try Self.make(count: 200, using: &generator)

    for item in known {
      let variable = variables[Int.random(in: 0..<Self.variableCount, using: &generator)]
      let mask = Self.table(ofVariable: variable.number)
      let shift = UInt64(1) << UInt64(variable.number)
      let high = item.table & mask | (item.table & mask) >> shift
      let low = item.table & ~mask | (item.table & ~mask) << shift
      let tables = Dictionary(known.map { ($0.table, $0.function) }, uniquingKeysWith: { $1 })

      let restricted = try diagram.restrict(item.function, [variable: true])
      let quantified = try diagram.exists([variable], item.function)

      #expect(!diagram.variables(of: restricted).contains(variable))
      #expect(tables[high].map { $0 == restricted } ?? true)
      #expect(tables[high | low].map { $0 == quantified } ?? true)
      #expect(diagram.solutionCount(of: quantified).exact == UInt128((high | low).nonzeroBitCount))
    }
  }

  @Test(arguments: 0..<4)
  func cheapestSolutionIsTheCheapestOfAll(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 200 + seed)
    let (diagram, variables, known) = try Self.make(count: 200, using: &generator)
    let costs = variables.map { _ in UInt128.random(in: 1...5, using: &generator) }
    let usual = variables.map { _ in Bool.random(using: &generator) }

    for item in known {
      let found = diagram.cheapestSolution(of: item.function) {
        (usual[$0.number], costs[$0.number])
      }
      let expected = (0..<64).filter { item.table >> $0 & 1 == 1 }
        .map { row in
          variables.map { (row >> $0.number & 1 == 1) == usual[$0.number] ? 0 : costs[$0.number] }
            .reduce(0, +)
        }.min()
      #expect(found.map { $0.map { costs[$0.number] }.reduce(0, +) } == expected)
      if let found {
        #expect(
          diagram.value(of: item.function) { found.contains($0) != usual[$0.number] })
      }
    }
  }

  @Test func chainOfAHundredThousandVariablesTakesANodeEach() throws {
    var diagram = Diagram(nodeLimit: 1_000_000)
    var chain = BooleanFunction.always
    for _ in 0..<100_000 {
      let variable = try diagram.function(of: diagram.addVariable())
      chain = try diagram.and(chain, variable)
    }

    #expect(diagram.nodeCount <= 200_001)
    #expect(diagram.solutionCount(of: chain).exact == 1)
    #expect("\(diagram.solutionCount(of: !chain))" == "about 2^100000")
    #expect(diagram.variables(of: chain).count == 100_000)
    #expect(diagram.cheapestSolution(of: chain) { _ in (false, 1) }?.count == 100_000)
  }

  @Test func deepFunctionsMeetWithoutRecursion() throws {
    var diagram = Diagram(nodeLimit: 2_000_000)
    var functions: [BooleanFunction] = []
    for _ in 0..<100_000 { functions.append(try diagram.function(of: diagram.addVariable())) }
    let even = try diagram.all(stride(from: 0, to: 100_000, by: 2).map { functions[$0] })
    let odd = try diagram.all(stride(from: 1, to: 100_000, by: 2).map { functions[$0] })

    let all = try diagram.and(even, odd)

    #expect(diagram.variables(of: all).count == 100_000)
    #expect(try diagram.exists([], all) == all)
  }

  @Test func limitIsAnErrorAndWhatWasThereStaysRight() throws {
    var diagram = Diagram(nodeLimit: 200)
    let variables = (0..<40).map { _ in diagram.addVariable() }
    let small = try diagram.and(
      diagram.function(of: variables[0]), diagram.function(of: variables[1]))
    let count = diagram.nodeCount

    // Pairs of variables far from each other: exponential in this order.
    #expect(throws: DiagramLimitReached.self) {
      var sum = BooleanFunction.never
      for pair in 0..<20 {
        let product = try diagram.and(
          diagram.function(of: variables[pair]), diagram.function(of: variables[pair + 20]))
        sum = try diagram.or(sum, product)
      }
    }
    #expect(diagram.nodeCount == 200)
    diagram.forgetNodes(since: count)

    #expect(diagram.nodeCount == count)
    let again = try diagram.and(
      diagram.function(of: variables[1]), diagram.function(of: variables[0]))
    #expect(again == small)
    let other = try diagram.or(small, diagram.function(of: variables[39]))
    #expect(diagram.value(of: other) { $0 == variables[39] })
    #expect(!diagram.value(of: other) { $0 == variables[0] })
  }

  @Test(arguments: 0..<4)
  func functionsAreRightAgainAfterOthersWereForgotten(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 300 + seed)
    var (diagram, _, known) = try Self.make(count: 50, using: &generator)
    let count = diagram.nodeCount
    for round in 0..<20 {
      var tables = Dictionary(known.map { ($0.table, $0.function) }, uniquingKeysWith: { $1 })
      for _ in 0..<200 {
        let pair = (tables.randomElement(using: &generator), known.randomElement(using: &generator))
        guard let left = pair.0, let right = pair.1 else { continue }
        let both = try diagram.and(left.value, right.function)
        #expect(tables[left.key & right.table, default: both] == both, "round \(round)")
        tables[left.key & right.table] = both
        tables[~(left.key & right.table)] = !both
      }
      for (table, function) in tables {
        #expect(diagram.solutionCount(of: function).exact == UInt128(table.nonzeroBitCount))
      }
      diagram.forgetNodes(since: count)
    }
  }
}
