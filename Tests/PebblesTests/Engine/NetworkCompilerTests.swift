import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct NetworkCompilerTests {
  private let pond = Pond("compiled")
  private let a: Pebble<Void>
  private let b: Pebble<Void>
  private let c: Pebble<Void>

  init() {
    a = pond.pebble("a") {}
    b = pond.pebble("b") {}
    c = pond.pebble("c") {}
  }

  private func network(when condition: Condition) -> ReadinessNetwork {
    pond.pebble("d", when: condition) {}
    return pond.program().pond.network
  }

  @Test func pebbleWithoutConditionHasNoOperands() {
    let network = network(when: .always)

    #expect((0..<4).map { network.initiallyReady[$0] } == [0, 1, 2, 3])
    #expect(network.edges.count == 0)
  }

  @Test func andOfAtomsNeedsOneGate() {
    let network = network(when: a.succeeded && b.failed && !c.skipped)

    #expect(network.rowCount == 4)
    #expect(network.kinds[3] == .all)
    #expect(network.operandCounts[3] == 3)
    #expect(network.edges(from: 2).map(\.outcomes) == [.completed])
  }

  @Test func negationIsPushedDownToTheAtoms() {
    let network = network(when: !(a.succeeded && (b.failed || c.settled)))

    #expect(network.kinds[3] == .any)
    #expect(network.edges(from: 0).map(\.outcomes) == [[.failed, .skipped]])
    #expect(network.edges(from: 1).map(\.outcomes) == [[.succeeded, .skipped]])
    #expect(network.edges(from: 2).map(\.outcomes) == [[]])
    #expect(network.kinds[4] == .all)
  }

  @Test func labelledExpressionKeepsAGateOfItsOwn() {
    let network = network(when: a.succeeded && (b.succeeded && c.succeeded).labeled("both"))

    #expect(network.rowCount == 5)
    #expect(network.labels == [4: "both"])
  }

  @Test func gatesStandInTheOrderInWhichTheConditionIsRead() {
    let nested = (b.succeeded || c.succeeded).labeled("nested")
    let network = network(
      when: (a.succeeded && nested).labeled("first") || (a.failed && b.failed).labeled("second"))

    #expect(network.labels == [4: "first", 5: "nested", 6: "second"])
  }

  @Test func largeExpressionUsedOnceMeltsIntoTheGateAroundIt() {
    let number = pond.pebble("number") { 1 }
    let large = Condition.all((0..<40).map { $0 % 2 == 0 ? a.succeeded : b.completed })
    pond.pebble("taking", needs: number, when: large) { _ in }
    let network = pond.program().pond.network

    #expect(network.rowCount == network.pebbleCount)
  }

  @Test func largeExpressionUsedTwiceIsCompiledOnce() {
    let large = Condition.all((0..<40).map { $0 % 2 == 0 ? a.succeeded : b.completed })
    pond.pebble("first", when: large) {}
    pond.pebble("second", when: large || c.failed) {}
    let network = network(when: large || c.failed)

    // Written out where it is met first, then once as a gate for the others.
    #expect(network.edges.count < 2 * 40 + 20)
  }

  @Test func doublingASharedExpressionDoesNotDoubleTheNetwork() {
    var condition = a.succeeded || b.failed
    for level in 0..<60 {
      condition = level.isMultiple(of: 2) ? condition && condition : condition || condition
    }

    let network = network(when: condition)

    #expect(network.edges.count < 2_000)
  }

  @Test func operandIndexTurnsTheNetworkAround() {
    let network = network(when: a.succeeded && (b.failed || c.skipped))
    let operands = OperandIndex(network)

    #expect(operands[3].map(\.source) == [0, 4])
    #expect(operands[4].map(\.source) == [1, 2])
    #expect(operands[4].map(\.outcomes) == [.failed, .skipped])
  }

  /// Tests pebbles whose inputs and condition are joined in a temporary node. Such a node was once
  /// allocated at the address of the previous one, and was therefore taken for the same gate.
  @Test func pebblesWithInputsAndLongConditionsDoNotMixThemUp() async throws {
    let pond = Pond("many")
    let good = pond.pebble("good") {}
    let bad = pond.pebble("bad") { throw Breakdown() }
    let pebbles = (0..<300).map { number in
      let awaited = number.isMultiple(of: 3) ? bad : good
      let condition = Condition.all((0..<20).map { _ in awaited.succeeded })
      return pond.pebble("p\(number)", needs: good, when: condition) { _ in }
    }

    let report = try await pond.run()

    for (number, pebble) in pebbles.enumerated() {
      #expect(report.outcome(of: pebble).isSucceeded == !number.isMultiple(of: 3))
    }
  }

  @Test(arguments: [false, true])
  func negationsAndLabelsOfSharedExpressionsAreSharedToo(isLabeled: Bool) {
    var condition = a.succeeded || b.failed
    for level in 0..<60 {
      let doubled = condition && condition
      condition = isLabeled ? doubled.labeled("level \(level)") : !doubled
    }

    #expect(network(when: condition).edges.count < 2_000)
  }
}
