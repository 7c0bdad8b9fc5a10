import Workloads

/// The targets that the library has set itself, measured.
struct Targets {
  let plan: Plan
  /// What the comparison has measured already.
  let cases: [CaseResult]

  func measure(progress: (String) -> Void) async throws -> [TargetResult] {
    var results = againstOneTBB() + againstTaskGroup()
    if plan.shapes.contains(.chain) {
      progress("target: chain of 5,000")
      results += try await chainOf5000()
      results += againstFloor()
    }
    for shape in plan.shapes where shape.isScalable {
      progress("target: growth of \(shape.rawValue)")
      results.append(try await growth(of: shape))
    }
    if plan.shapes.contains(.boot) {
      progress("target: boot")
      results.append(try await bootMakespan())
    }
    for shape in plan.shapes where shape.isScalable {
      progress("target: memory of \(shape.rawValue)")
      results.append(try memory(of: shape))
    }
    if plan.shapes.contains(.randomBoolean) {
      for size in plan.sizes {
        progress("target: atoms, \(size) pebbles")
        results.append(try await atoms(size: size))
      }
    }
    if plan.shapes.count == Shape.allCases.count {
      progress("target: analysis")
      results += try await analysis()
    }
    return results
  }

  private func againstOneTBB() -> [TargetResult] {
    cases.filter { $0.shape.isConjunctive && $0.shape.isScalable }.map { result in
      let peer = result.result(named: "oneTBB")
      return TargetResult(
        "define + run + report / oneTBB", result.subject, limit: 0.8, peer?.ratio, note: peer?.note)
    }
  }

  private func againstTaskGroup() -> [TargetResult] {
    cases.filter { $0.shape == .independent }.map { result in
      let timed = result.result(named: "TaskGroup, timed")?.ratio
      return TargetResult(
        "define + run + report / bare TaskGroup", result.subject, limit: 0.08,
        result.result(named: "TaskGroup")?.ratio,
        note: timed.map { "\(ratioText($0.median)) when the TaskGroup times its tasks as well" })
    }
  }

  private func againstFloor() -> [TargetResult] {
    cases.filter { $0.shape == .chain && $0.pebbles == 100_000 }.map { result in
      TargetResult(
        "run / floor loop", result.subject, limit: 1.8, result.result(named: "floor")?.runRatio)
    }
  }

  private func chainOf5000() async throws -> [TargetResult] {
    let workload = Workload(.chain, size: 5_000)
    let entries = [
      Entry(PondContestant(), workload), Entry(OperationQueueContestant(), workload),
      Entry(PollingContestant(), workload),
    ]
    let samples = try await plan.interleaving.measure(entries)
    return zip(entries, zip(samples, [0, 0.001, 0.01])).dropFirst().map { entry, peer in
      TargetResult(
        "define + run + report / \(entry.contestant.name)", "chain, 5000", limit: peer.1,
        quotient(samples[0], peer.0) { $0.total.nanoseconds })
    }
  }

  private func growth(of shape: Shape) async throws -> TargetResult {
    let name = "ns per pebble at 1000000 / at 1000"
    guard plan.sizes.contains(1_000_000) else {
      return TargetResult(name, shape.rawValue, limit: 1.5, nil, note: "not with --quick")
    }
    let large = Entry(PondContestant(), Workload(shape, size: 1_000_000))
    let small = Entry(PondContestant(), Workload(shape, size: 1_000))
    let samples = try await plan.interleaving.measure([large, small])
    let scale = Double(large.workload.count) / Double(small.workload.count)
    return TargetResult(
      name, shape.rawValue, limit: 1.5,
      quotient(samples[0], samples[1], scale: scale) { $0.total.nanoseconds })
  }

  private func atoms(size: Int) async throws -> TargetResult {
    let boolean = Entry(PondContestant(), Workload(.randomBoolean, size: size))
    let chain = Entry(PondContestant(), Workload(.chain, size: size))
    let samples = try await plan.interleaving.measure([boolean, chain])
    let scale = Double(boolean.workload.atomCount) / Double(chain.workload.atomCount)
    return TargetResult(
      "random boolean / chain, ns per atom", "\(size)", limit: 2,
      quotient(samples[0], samples[1], scale: scale) { $0.total.nanoseconds })
  }

  /// The quotient round by round, of which the first is to be divided by `scale`.
  private func quotient(
    _ dividend: [Phases], _ divisor: [Phases], scale: Double = 1, _ part: (Phases) -> Double
  ) -> Spread? {
    Spread(zip(dividend, divisor).map { part($0) / scale / max(part($1), 1) })
  }
}

extension CaseResult {
  var subject: String { "\(shape.rawValue), \(pebbles)" }
}
