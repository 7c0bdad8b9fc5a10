@testable import Pebbles
import PebblesTestSupport

extension ReferencePond {
  /// Returns the same pond as a real `Pond`. A subexpression that occurs in several places is
  /// converted to a single condition. The first operand of an AND is the condition that `needs:`
  /// would imply.
  func makePond(
    smallestShared: Int32 = Compound.smallestShared,
    body: @escaping @Sendable (Int) async throws -> Void
  ) -> Pond {
    let pond = Pond("random", smallestShared: smallestShared)
    var maker = ConditionMaker(definition: pond.definition, cases: cases)
    for (index, formula) in conditions.enumerated() {
      maker.addCases(of: index, in: self)
      let (needs, condition) = maker.parts(of: formula)
      _ = pond.definition.append(
        "p\(index)", needs: needs, when: condition, nil, Body { try await body(index) })
    }
    return pond
  }

  func makePond(smallestShared: Int32 = Compound.smallestShared) -> Pond {
    let succeeds = self.succeeds
    return makePond(smallestShared: smallestShared) { index in
      if !succeeds[index] { throw Breakdown() }
    }
  }

  // With a `smallestShared` of 1 even single atoms are shared, which the library writes out.
  func compiled(smallestShared: Int32 = Compound.smallestShared) -> PondLogic {
    let pond = makePond(smallestShared: smallestShared)
    // The definition lets go of its conditions together with the pond.
    return withExtendedLifetime(pond) {
      pond.program().pond
    }
  }
}

private struct ConditionMaker {
  let definition: PondDefinition
  private let cases: [ReferenceCases]
  private var shared: [Int: Condition] = [:]

  init(definition: PondDefinition, cases: [ReferenceCases]) {
    self.definition = definition
    self.cases = cases
  }

  mutating func parts(of formula: ReferencePond.Formula) -> (needs: Condition?, when: Condition) {
    guard case .all(let operands) = formula, operands.count > 1 else {
      return (nil, condition(formula))
    }
    return (condition(operands[0]), condition(.all(Array(operands.dropFirst()))))
  }

  /// Adds the cases of a pebble, with the same answers as in the reference.
  func addCases(of index: Int, in pond: ReferencePond) {
    let cases = pond.cases[index]
    for one in cases.list {
      let holds = pond.answers[index].contains(one)
      _ = definition.condition(of: reference(index)) {
        if one.isValue, cases.isExhaustive { $0.markExhaustive() }
        return $0.append(one, one.isFailure ? .error { _ in holds } : .output { _ in holds })
      }
    }
  }

  private mutating func condition(_ formula: ReferencePond.Formula) -> Condition {
    switch formula {
    case .constant(let value): return value ? .always : .never
    case .case(let index, let one, let isNegated):
      let place = cases[index].list.firstIndex(of: one) ?? 0
      let atom = Condition(.atom(Atom(pebble: reference(index), case: place, of: one)))
      return isNegated ? !atom : atom
    case .atom(let index, let kind, let isNegated):
      let atom = Condition(.atom(Atom(pebble: reference(index), outcomes: kind.outcomes)))
      return isNegated ? !atom : atom
    case .not(let operand): return !condition(operand)
    case .all(let operands): return .all(operands.map { condition($0) })
    case .any(let operands):
      let operands = operands.map { condition($0) }
      return operands.dropFirst().reduce(operands.first ?? .never, ||)
    case .shared(let number, let formula):
      let made = shared[number] ?? condition(formula)
      shared[number] = made
      return made
    }
  }

  private func reference(_ index: Int) -> PebbleReference {
    PebbleReference(definition: definition, index: UInt32(index))
  }
}

extension ReferencePond.OutcomeKind {
  var outcomes: OutcomeSet {
    switch self {
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped: .skipped
    case .completed: .completed
    case .settled: .settled
    }
  }
}

/// A run of the engine alone, on one thread and without tasks. The test chooses the order in which
/// bodies end.
struct EngineRun {
  let pond: ReferencePond
  let storage: RunStorage
  private(set) var started: [Int] = []
  private var driver: ReadinessDriver
  private var running: Set<Int> = []
  private var time: UInt64 = 0

  init(_ pond: ReferencePond, compiled: PondLogic, of subset: Set<Int>? = nil) {
    self.pond = pond
    storage = RunStorage(compiled, of: subset)
    driver = ReadinessDriver(
      storage.state,
      knowing: KnownOutcomes(disabled: [], in: subset, of: compiled.network.pebbleCount))
    startReady()
  }

  mutating func run(choosing choose: ([Int]) -> Int) {
    while !driver.isFinished {
      if running.isEmpty {
        driver.settleAtRest(storage.pond.operands, at: time)
      } else {
        let next = choose(running.sorted())
        running.remove(next)
        time += 1
        driver.end(
          next, succeeded: pond.succeeds[next], cases: pond.caseSet(of: next), at: time)
      }
      startReady()
    }
  }

  private mutating func startReady() {
    while let pebble = driver.takeReady() {
      started.append(pebble)
      running.insert(pebble)
      driver.start(pebble, at: time)
    }
  }

  /// The sets of cases that hold, indexed by pebble.
  var held: [Set<PebbleCase>] {
    pond.conditions.indices.map { Set(storage.state.cases(of: $0)) }
  }

  var outcomes: [ReferenceOutcome?] {
    pond.conditions.indices.map { pebble in
      switch storage.state.status(of: pebble) {
      case .waiting, .running, .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor,
        .skippedByHolder:
        nil
      case .succeeded: .succeeded
      case .failed: .failed
      case .skippedByCondition: .skipped(.condition)
      case .skippedByStall: .skipped(.stall(waitingOn: Set(storage.state.stall(of: pebble))))
      }
    }
  }
}
