import Workloads

/// A contestant that resembles a typical hand-written program. It uses a `TaskGroup`, and
/// dictionaries with the number of missing predecessors, the successors and the ending for each
/// name.
struct CoordinatorContestant: Contestant {
  let name = "coordinator"

  func refusal(of workload: Workload) -> String? { nil }

  func run(_ workload: Workload, tally: Tally) async throws -> Phases {
    let bodies = workload.bodies(tally: tally)
    let start = Moment.now
    var coordinator = Coordinator()
    for index in 0..<workload.count {
      coordinator.add(
        workload.names[index],
        after: workload.predecessors(of: index).map { workload.names[Int($0)] },
        condition: condition(of: index, in: workload), bodies[index])
    }
    let defined = Moment.now
    await coordinator.run()
    let ran = Moment.now
    let succeeded = coordinator.endings.values.count { $0 == .succeeded }
    let read = Moment.now

    guard succeeded <= tally.count else {
      throw ComparisonError.wrongCount(name, workload.shape, executed: tally.count)
    }
    withExtendedLifetime(coordinator) {}
    return Phases(define: defined - start, run: ran - defined, report: read - ran)
  }

  /// Returns the condition to check after all predecessors have ended; `nil` if no condition has to
  /// be checked.
  private func condition(of index: Int, in workload: Workload) -> Coordinator.Condition? {
    guard !workload.shape.isConjunctive else { return nil }
    return { endings in
      workload.conditionHolds(for: index) { endings[workload.names[$0]] ?? .skipped }
    }
  }
}

private struct Coordinator {
  typealias Ending = Workload.Ending
  typealias Condition = @Sendable (_ endings: [String: Ending]) -> Bool

  private var bodies: [String: Body] = [:]
  private var conditions: [String: Condition] = [:]
  private var remaining: [String: Int] = [:]
  private var successors: [String: [String]] = [:]
  private var initial: [String] = []
  private(set) var endings: [String: Ending] = [:]

  mutating func add(
    _ name: String, after predecessors: [String], condition: Condition?, _ body: @escaping Body
  ) {
    bodies[name] = body
    conditions[name] = condition
    remaining[name] = predecessors.count
    for predecessor in predecessors { successors[predecessor, default: []].append(name) }
    if predecessors.isEmpty { initial.append(name) }
  }

  mutating func run() async {
    await withTaskGroup(of: (String, Ending).self) { group in
      for name in initial { start(name, in: &group) }
      for await (name, ending) in group { finish(name, ending, in: &group) }
    }
  }

  private func start(_ name: String, in group: inout TaskGroup<(String, Ending)>) {
    guard let body = bodies[name] else { return }
    group.addTask {
      do {
        try await body()
        return (name, .succeeded)
      } catch {
        return (name, .failed)
      }
    }
  }

  private mutating func finish(
    _ name: String, _ ending: Ending, in group: inout TaskGroup<(String, Ending)>
  ) {
    endings[name] = ending
    var settled = [name]
    while let name = settled.popLast() {
      for successor in successors[name, default: []] {
        remaining[successor, default: 0] -= 1
        guard remaining[successor] == 0 else { continue }
        if conditions[successor].map({ $0(endings) }) ?? true {
          start(successor, in: &group)
        } else {
          endings[successor] = .skipped
          settled.append(successor)
        }
      }
    }
  }
}
