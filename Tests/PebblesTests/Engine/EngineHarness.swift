@testable import Pebbles

extension ReferencePond {
  /// The same pond, defined through the public API. Equal sub-formulas that stand in several places
  /// stay shared when `sharing` is set.
  func makePond(body: @escaping @Sendable (Int) async throws -> Void) -> Pond {
    let pond = Pond("random")
    let pebbles = conditions.indices.map { index in
      pond.pebble("p\(index)") { try await body(index) }
    }
    var predicates: [Int: Condition] = [:]
    for (pebble, formula) in zip(pebbles, conditions) {
      pebble.ready = formula.condition(over: pebbles, &predicates)
    }
    return pond
  }

  func makePond() -> Pond {
    let succeeds = self.succeeds
    return makePond { index in
      if !succeeds[index] { throw BodyFailure() }
    }
  }
}

extension ReferencePond {
  func compiled() -> CompiledPond {
    let pond = makePond()
    // The definition lets go of its bodies together with the pond.
    return withExtendedLifetime(pond) { pond.definition.compiled() }
  }
}

struct BodyFailure: Error, Hashable {}

extension ReferencePond.Formula {
  fileprivate func condition(
    over pebbles: [Pebble<Void>], _ predicates: inout [Int: Condition]
  ) -> Condition {
    switch self {
    case .constant(let value): return value ? .always : .never
    case .atom(let index, let kind, let isNegated):
      let atom = pebbles[index].condition(kind.outcomes)
      return isNegated ? !atom : atom
    case .not(let operand): return !operand.condition(over: pebbles, &predicates)
    case .all(let operands):
      return .all(operands.map { $0.condition(over: pebbles, &predicates) })
    case .any(let operands):
      let operands = operands.map { $0.condition(over: pebbles, &predicates) }
      return operands.dropFirst().reduce(operands.first ?? .never, ||)
    case .predicate(let number, let reads, let threshold):
      if let known = predicates[number] { return known }
      let references = reads.map { pebbles[$0].reference }
      let predicate = Predicate(reads: references) { storage in
        reads.filter { storage.state.status(of: $0) == .succeeded }.count >= threshold
      }
      let made = Condition(.predicate(predicate), [])
      predicates[number] = made
      return made
    }
  }
}

extension ReferencePond.OutcomeKind {
  fileprivate var outcomes: OutcomeSet {
    switch self {
    case .succeeded: .succeeded
    case .failed: .failed
    case .skipped: .skipped
    case .completed: .completed
    case .settled: .settled
    }
  }
}

/// Drives the engine alone: one thread, no tasks, the order of endings chosen by the test.
struct EngineRun {
  let pond: ReferencePond
  let storage: RunStorage
  private(set) var started: [Int] = []
  private var running: Set<Int> = []
  private var decisions = Decisions()
  private var time: UInt64 = 0

  init(_ pond: ReferencePond, compiled: CompiledPond) {
    self.pond = pond
    storage = RunStorage(compiled)
    storage.state.begin(into: &decisions)
    for place in 0..<compiled.network.initiallyReady.count {
      start(Int(compiled.network.initiallyReady[place]))
    }
    takeNote()
  }

  mutating func run(choosing choose: ([Int]) -> Int) {
    repeat {
      while !running.isEmpty {
        let next = choose(running.sorted())
        running.remove(next)
        time += 1
        storage.state.pebbleFinished(
          next, succeeded: pond.succeeds[next], at: time, into: &decisions)
        takeNote()
      }
      if decisions.settledCount < pond.conditions.count {
        storage.state.resolveStall(storage.pond.operands, at: time, into: &decisions)
        takeNote()
      }
    } while !running.isEmpty || decisions.settledCount < pond.conditions.count
  }

  private mutating func takeNote() {
    let evaluator = PredicateEvaluator(storage.pond.predicates)
    evaluator.evaluate(&decisions, storage, at: time)
    decisions.ready.forEach { start(Int($0)) }
    decisions.ready.removeAll()
  }

  private mutating func start(_ pebble: Int) {
    started.append(pebble)
    running.insert(pebble)
    storage.state.pebbleStarted(pebble, at: time)
  }

  var outcomes: [ReferenceOutcome?] {
    pond.conditions.indices.map { pebble in
      switch storage.state.status(of: pebble) {
      case .waiting, .running, .skippedByCancellation: nil
      case .succeeded: .succeeded
      case .failed: .failed
      case .skippedByCondition: .skipped(.condition)
      case .skippedByStall: .skipped(.stall(waitingOn: Set(storage.stall(at: pebble))))
      case .skippedByPredicate: .skipped(.predicate)
      }
    }
  }
}
