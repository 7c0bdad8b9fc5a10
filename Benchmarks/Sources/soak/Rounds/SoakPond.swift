import Pebbles
import Synchronization

/// A pond that is created from a plan.
struct SoakPond: Sendable {
  let pond: Pond

  /// The pond that defines the pebbles: the outer pond itself, or a cluster of it.
  private let inner: Pond

  private(set) var handles: [SoakHandle] = []

  private let plan: SoakPlan
  private let bodies: [SoakBody]

  init(_ plan: SoakPlan, _ clock: LeapingClock, _ ledger: SoakLedger) {
    let bodies = plan.pebbles.enumerated().map { position, pebble in
      SoakBody(pebble: pebble, position: position, clock: clock, ledger: ledger)
    }
    self.plan = plan
    self.bodies = bodies
    inner = Self.emptyPond(plan, bodies, ledger)
    pond =
      plan.isCluster ? Pond("outer", onFailure: Self.policy(plan, bodies, ledger)) : inner
    for body in bodies { handles.append(add(body)) }
    if plan.isCluster {
      let cluster = pond.add(inner, as: "copy")
      handles = handles.map { $0.copy(in: cluster) }
    }
    for (handle, pebble) in zip(handles, plan.pebbles) where pebble.isFormulaSetLater {
      handle.setCondition(pebble.formula.condition(over: handles))
    }
  }

  private static func emptyPond(
    _ plan: SoakPlan, _ bodies: [SoakBody], _ ledger: SoakLedger
  ) -> Pond {
    let bodiesByName = Dictionary(uniqueKeysWithValues: bodies.map { ($0.pebble.name, $0) })
    let policy = policy(plan, bodies, ledger)
    let faults: Around = { context, body in
      try await bodiesByName[context.pebble]?.callAround(context, body)
    }
    let check: Around = { context, body in
      if context != PebbleContext.current { ledger.complain("\(context) is not the current one") }
      try await body()
    }
    switch plan.layers {
    case 0: return Pond("soak", maxConcurrent: plan.maxConcurrent, onFailure: policy)
    case 1:
      return Pond("soak", maxConcurrent: plan.maxConcurrent, onFailure: policy, around: faults)
    default:
      return Pond(
        "soak", maxConcurrent: plan.maxConcurrent, onFailure: policy, around: faults, check)
    }
  }

  private static func policy(
    _ plan: SoakPlan, _ bodies: [SoakBody], _ ledger: SoakLedger
  ) -> FailurePolicy {
    switch plan.policy {
    case .ignore: .ignore
    case .cancelAll: .cancelAll
    case .custom(let divisor):
      .custom { failure in
        let position = plan.position(of: failure.pebble)
        ledger.wasJudged(position)
        return position % divisor == 0 ? .cancelAll : .goOn
      }
    }
  }

  private func add(_ body: SoakBody) -> SoakHandle {
    let condition =
      body.pebble.isFormulaSetLater ? .always : body.pebble.formula.condition(over: handles)
    switch body.pebble.form {
    case .plain: return .ticket(addPlain(body, condition))
    case .inputs(let inputs): return .ticket(add(body, condition, inputs))
    case .callback: return .plain(addCallback(body, condition))
    case .service(let service): return .ticket(addService(body, condition, service))
    }
  }
}

extension SoakPond {
  private func addPlain(_ body: SoakBody, _ condition: Condition) -> Pebble<SoakTicket> {
    inner.pebble(
      body.pebble.ownName, traits(of: body), when: condition, teardown: teardown(of: body),
      body: { try await body.runInPlace() })
  }

  private func add(
    _ body: SoakBody, _ condition: Condition, _ inputs: SoakPebble.Inputs
  ) -> Pebble<SoakTicket> {
    switch inputs {
    case .output(let first):
      return add(body, condition, ticket(first)) { try await body.run(given: (first, $0)) }
    case .outputAndResult(let first, let second):
      return add(body, condition, ticket(first), ticket(second).result) { output, result in
        try await body.run(given: (first, output), (second, try? result.get()))
      }
    case .resultAndOptional(let first, let second):
      return add(body, condition, ticket(first).result, ticket(second).optional) { result, output in
        try await body.run(given: (first, try? result.get()), (second, output))
      }
    }
  }

  private func add<First: PebbleInput, each Other: PebbleInput>(
    _ body: SoakBody, _ condition: Condition, _ first: First, _ others: repeat each Other,
    run:
      nonisolated(nonsending) @escaping @Sendable (First.Value, repeat (each Other).Value)
      async throws -> SoakTicket
  ) -> Pebble<SoakTicket> {
    inner.pebble(
      body.pebble.ownName, traits(of: body), needs: first, repeat each others, when: condition,
      teardown: teardown(of: body), body: run)
  }

  private func addCallback(_ body: SoakBody, _ condition: Condition) -> Pebble<Void> {
    inner.pebble(
      body.pebble.ownName, traits(of: body), when: condition,
      teardown: teardownWithoutOutput(of: body),
      body: { complete in try await body.run(complete) })
  }

  private func addService(
    _ body: SoakBody, _ condition: Condition, _ service: SoakPebble.Service
  ) -> Pebble<SoakTicket> {
    switch service.inputs {
    case nil:
      return inner.service(
        body.pebble.ownName, traits(of: body), when: condition, teardown: teardown(of: body),
        body: { ready in try await body.run(ready) })
    case .output(let first):
      return inner.service(
        body.pebble.ownName, traits(of: body), needs: ticket(first), when: condition,
        teardown: teardown(of: body),
        body: { ready, output in try await body.run(ready, given: (first, output)) })
    case .outputAndResult(let first, let second):
      return inner.service(
        body.pebble.ownName, traits(of: body), needs: ticket(first), ticket(second).result,
        when: condition, teardown: teardown(of: body),
        body: { ready, output, result in
          try await body.run(ready, given: (first, output), (second, try? result.get()))
        })
    case .resultAndOptional(let first, let second):
      return inner.service(
        body.pebble.ownName, traits(of: body), needs: ticket(first).result, ticket(second).optional,
        when: condition, teardown: teardown(of: body),
        body: { ready, result, output in
          try await body.run(ready, given: (first, try? result.get()), (second, output))
        })
    }
  }
}

extension SoakPond {
  private func ticket(_ position: Int) -> Pebble<SoakTicket> {
    guard let pebble = handles[position].ticket else {
      preconditionFailure("the plan hands on an output that p\(position) does not have")
    }
    return pebble
  }

  private func traits(of body: SoakBody) -> PebbleTrait {
    let pebble = body.pebble
    var traits: [PebbleTrait] = [.priority(pebble.priority)]
    if pebble.isEnabled != nil { traits.append(.enabled { body.isEnabled() }) }
    if let timeout = pebble.timeout { traits.append(.timeout(timeout)) }
    if let retry = pebble.retry { traits.append(.retry(retry.policy)) }
    if let key = pebble.exclusiveKey { traits.append(.exclusive(key)) }
    if let use = use(of: body) { traits.append(use) }
    if let service = pebble.service { traits += self.traits(of: service) }
    switch pebble.place {
    case .executor: traits.append(.executor(SoakExecutor.shared))
    case .threads: traits.append(.blocking)
    case .pool, .mainActor: break
    }
    return .traits(traits)
  }

  private func traits(of service: SoakPebble.Service) -> [PebbleTrait] {
    var traits: [PebbleTrait] =
      switch service.ending {
      case .ignore: [.ending(.ignore)]
      case .shutDown: [.ending(.shutDown)]
      case .restart(let retry, let time): [.ending(.restart(retry.policy, resetAfter: time))]
      }
    if let time = service.stopWithin { traits.append(.stopWithin(time)) }
    for position in service.stopsBefore {
      traits.append(.stopsBefore(.named(plan.pebbles[position].ownName)))
    }
    if let leader = service.restartsWith {
      traits.append(.restartsWith(.named(plan.pebbles[leader].ownName)))
    }
    return traits
  }

  private func teardown(of body: SoakBody) -> (@Sendable (SoakTicket) async throws -> Void)? {
    guard body.pebble.teardown != nil else { return nil }
    return { try await body.tearDown($0) }
  }

  private func teardownWithoutOutput(
    of body: SoakBody
  ) -> (@Sendable () async throws -> Void)? {
    guard body.pebble.teardown != nil else { return nil }
    return { try await body.tearDown(nil) }
  }

  private func use(of body: SoakBody) -> PebbleTrait? {
    guard body.pebble.connections > 0 else { return nil }
    // Every other pebble gives the capacity; the first one must, so that at least one does.
    let isFirst = plan.pebbles.firstIndex { $0.connections > 0 } == body.position
    return .uses(
      "connections", body.pebble.connections,
      of: isFirst || body.position.isMultiple(of: 2) ? SoakPlan.connections : nil)
  }
}

/// A task executor that is distinct from the default executor, but uses its threads.
final class SoakExecutor: TaskExecutor {
  static let shared = SoakExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    globalConcurrentExecutor.enqueue(job)
  }
}
