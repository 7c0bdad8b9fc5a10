import Workloads

/// The measurement of the library against its own targets.
struct Targets {
  let plan: Plan
  /// The results of the comparison.
  let cases: [CaseResult]

  func measure(progress: (String) -> Void) async throws -> [TargetResult] {
    var results = cases.flatMap(againstPeers)
    if plan.shapes.contains(.chain) {
      progress("target: chain of 5,000")
      results += try await chainOf5000()
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

  /// Returns the results for targets relative to peers whose bodies can suspend, like a pond's.
  /// Peers whose bodies cannot suspend do different work; the only target relative to such a peer
  /// is for the chain of 5,000 pebbles.
  private func againstPeers(_ result: CaseResult) -> [TargetResult] {
    Self.limits(for: result.shape).compactMap { name, limit in
      guard let peer = result.result(named: name) else { return nil }
      return TargetResult(
        "define + run + report / \(name)", "\(result.shape.rawValue), \(result.pebbles)",
        limit: limit, peer.ratio, wall: peer.wallRatio, note: peer.note)
    }
  }

  private static func limits(for shape: Shape) -> [(peer: String, limit: Double)] {
    switch shape {
    case .independent: [("floor", 1.7), ("TaskGroup", 0.2), ("coordinator", 0.2)]
    case .chain: [("floor", 1.7), ("coordinator", 0.2)]
    case .tree: [("floor", 2.2), ("coordinator", 0.2)]
    case .layers: [("floor", 3), ("coordinator", 0.2)]
    case .randomBoolean: [("floor", 6), ("coordinator", 0.2)]
    case .ladder, .boot: []
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
        samples[0], over: peer.0)
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
      name, shape.rawValue, limit: 1.5, samples[0], over: samples[1], scale: scale)
  }

  private func atoms(size: Int) async throws -> TargetResult {
    let boolean = Entry(PondContestant(), Workload(.randomBoolean, size: size))
    let chain = Entry(PondContestant(), Workload(.chain, size: size))
    let samples = try await plan.interleaving.measure([boolean, chain])
    let scale = Double(boolean.workload.atomCount) / Double(chain.workload.atomCount)
    return TargetResult(
      "random boolean / chain, ns per atom", "\(size)", limit: 2, samples[0], over: samples[1],
      scale: scale)
  }
}
