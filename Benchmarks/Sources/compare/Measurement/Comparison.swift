import Workloads

/// A comparison of all contestants on every shape at every size.
struct Comparison {
  let plan: Plan
  private var forecast = Forecast()

  init(plan: Plan) {
    self.plan = plan
  }

  /// All contestants. The pond is the first, and slow contestants are the last, so that the others
  /// are measured in close succession.
  static let contestants: [any Contestant] = [
    PondContestant(), OneTBBContestant(), FloorContestant(), TaskGroupContestant(isTimed: false),
    TaskGroupContestant(isTimed: true), CoordinatorContestant(), PollingContestant(),
    OperationQueueContestant(),
  ]

  mutating func run(progress: (String) -> Void) async throws -> [CaseResult] {
    var cases: [CaseResult] = []
    for shape in plan.shapes {
      for size in shape.isScalable ? plan.sizes : [0] {
        let workload = Workload(shape, size: size)
        progress("\(shape.rawValue), \(workload.count) pebbles")
        cases.append(try await compare(workload))
      }
    }
    return cases
  }

  private mutating func compare(_ workload: Workload) async throws -> CaseResult {
    var running: [Entry] = []
    var notes: [String: String] = [:]
    for contestant in Self.contestants {
      let entry = Entry(contestant, workload)
      if let reason = try await reasonToSkip(entry) {
        notes[contestant.name] = reason
      } else {
        running.append(entry)
      }
    }

    let samples = try await plan.interleaving.measure(running)
    let measured = zip(running, samples).map { entry, own in
      ContestantResult(entry, own, pond: samples.first ?? [])
    }
    for (entry, result) in zip(running, measured) {
      let nanoseconds = (result.wall?.median ?? 0) * Double(workload.count)
      forecast.note(entry, took: nanoseconds / 1e9)
    }
    let results = Self.contestants.compactMap { contestant in
      measured.first { $0.name == contestant.name }
        ?? notes[contestant.name].map { ContestantResult(name: contestant.name, note: $0) }
    }
    return CaseResult(
      shape: workload.shape, pebbles: workload.count, atoms: workload.atomCount, results: results)
  }

  private mutating func reasonToSkip(_ entry: Entry) async throws -> String? {
    if let refusal = entry.contestant.refusal(of: entry.workload) { return refusal }
    guard entry.workload.count > 4_000 else { return nil }
    try await forecast.probe(entry)
    guard let seconds = forecast.seconds(for: entry), seconds > plan.limit.seconds else {
      return nil
    }
    return "skipped: would take \(brief(seconds))"
  }

  private func brief(_ seconds: Double) -> String {
    switch seconds {
    case ..<100: "\(Int(seconds.rounded())) s"
    case ..<6_000: "\(Int((seconds / 60).rounded())) min"
    default: "\(Int((seconds / 3_600).rounded())) h"
    }
  }
}
