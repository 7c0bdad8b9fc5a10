import Pebbles
import PondDefinition
import Workloads

/// A contestant that uses a pond, through its public interface.
struct PondContestant: Contestant {
  let name = "pond"

  func refusal(of workload: Workload) -> String? { nil }

  func run(_ workload: Workload, tally: Tally) async throws -> Phases {
    let log = workload.sleeps.isEmpty ? nil : SleepLog(count: workload.count)
    var phases = Phases()

    let start = Moment.now
    let pond = definePond(workload, tally: tally, sleepLog: log)
    let defined = Moment.now
    let report = try await pond.run()
    let ran = Moment.now
    let counts = OutcomeCounts(reading: report)
    let read = Moment.now

    phases.define = defined - start
    phases.run = ran - defined
    phases.report = read - ran
    guard counts.succeeded + counts.failed == tally.count else {
      throw ComparisonError.wrongReport(workload.shape, counts, executed: tally.count)
    }
    // Keeps both alive, so that no release happens within a phase.
    withExtendedLifetime((pond, report)) {}
    return phases
  }
}
