import Workloads

/// Something that can run a workload: the pond, or one of its peers.
protocol Contestant: Sendable {
  var name: String { get }

  /// Why it cannot run this workload at all, as a phrase for the table; nil if it can.
  func refusal(of workload: Workload) -> String?

  /// Defines the workload, runs it once with a body that increments `tally`, and reads the result.
  ///
  /// What it built is released before it returns, but after the last of the three phases. So the
  /// release is in none of them, for the pond as for its peers; it is measured apart, as the rest
  /// of what the call took.
  func run(_ workload: Workload, tally: Tally) async throws -> Phases
}

/// How long the parts of one run took.
struct Phases: Sendable {
  var define = Time()
  var run = Time()
  var report = Time()
  /// Everything after the report was read; filled in by whoever called.
  var release = Time()

  /// Define, run and read the report: what the comparison is about.
  var total: Time { define + run + report }

  static func / (phases: Phases, count: Int) -> Phases {
    Phases(
      define: phases.define / count, run: phases.run / count,
      report: phases.report / count, release: phases.release / count)
  }

  static func += (sum: inout Phases, phases: Phases) {
    sum.define = sum.define + phases.define
    sum.run = sum.run + phases.run
    sum.report = sum.report + phases.report
    sum.release = sum.release + phases.release
  }
}

/// A body as Swift contestants keep it.
typealias Body = @Sendable () async throws -> Void

extension Workload {
  /// The bodies of all pebbles. Closures that need not differ are shared, which favours the peers.
  func bodies(tally: Tally) -> [Body] {
    let succeeding: Body = { tally.increment() }
    let failing: Body = {
      tally.increment()
      throw PlannedFailure()
    }
    let log = SleepLog(count: sleeps.count)
    return (0..<count).map { index in
      guard sleeps.isEmpty else {
        return { [duration = sleeps[index]] in
          try await log.sleep(index, for: duration)
          tally.increment()
        }
      }
      return fails[index] ? failing : succeeding
    }
  }
}
