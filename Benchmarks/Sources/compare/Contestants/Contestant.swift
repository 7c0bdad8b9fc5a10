import Workloads

/// A program that can run a workload: the pond, or one of its peers.
protocol Contestant: Sendable {
  var name: String { get }

  /// Returns a phrase for the table that explains why this contestant cannot run a workload; `nil`
  /// if it can.
  func refusal(of workload: Workload) -> String?

  /// Defines the workload, runs it once with a body that increments `tally`, and reads the result.
  ///
  /// After these three phases and before this method returns, a contestant must release all its
  /// objects. The caller measures this release separately, as the rest of the call.
  func run(_ workload: Workload, tally: Tally) async throws -> Phases
}

/// The durations of the phases of a run.
struct Phases: Sendable {
  var define = Time()
  var run = Time()
  var report = Time()
  /// The time taken to release all objects. The caller sets it.
  var release = Time()

  /// The time to compare: the total of defining, running, and reading the report.
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

/// The type of a body in Swift contestants.
typealias Body = @Sendable () async throws -> Void

extension Workload {
  /// Returns the bodies of all pebbles. Identical closures are shared between pebbles, which gives
  /// the pond's peers an advantage.
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
