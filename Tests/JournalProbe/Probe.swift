import Foundation
import Pebbles
import PebblesDurable

/// The program `journal-probe`, which runs a random pond with a journal, so that tests can kill it.
/// The pond is determined by a seed.
///
/// ```
/// journal-probe <seed> <journal> <effects> <outcomes> [option …]
/// ```
@main
struct Probe {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      let options = try ProbeOptions(Array(CommandLine.arguments.dropFirst()))
      try options.limitProcess()
      exit(try await run(options))
    } catch let error as JournalError {
      print("\(error.kind): \(error)")
      exit(3)
    } catch {
      print(error)
      exit(2)
    }
  }

  /// Returns a word for the outcome of a pebble. It does not contain the skip reason, which can
  /// depend on the order in which other pebbles end.
  private static func word(for record: PebbleRecord) -> String {
    guard let kind = record.skipKind else { return "\(record.outcome)" }
    return "skipped, \(kind)"
  }

  /// Runs the pond, and writes the outcomes.
  ///
  /// - Returns: The exit code, which is 4 if the journal could not be written to its end.
  private static func run(_ options: ProbeOptions) async throws -> Int32 {
    let probe = ProbePond(
      seed: options.seed, cancelsAll: options.cancelsAll,
      try Effects(options.effects, dyingAfter: options.deathAfterEffects))
    let journal = Journal(
      at: options.journal, surviving: options.syncs ? .powerLoss : .processCrash,
      waiting: .seconds(60), ifOther: options.startsAnew ? .startAnew : .fail)
    let run = try await probe.pond.start(journal: journal, given: probe.given)
    let report = try await run.report
    _ = try await run.shutdown()
    if let problem = report.cancellation?.journalProblem {
      print(problem)
      return 4
    }
    let lines = report.records.map { "\($0.name) \(word(for: $0)) \($0.cases)" }
    let text = (lines + ["cancelled: \(report.isCancelled)"]).joined(separator: "\n")
    if options.outcomes == "-" {
      print(text)
    } else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: options.outcomes))
    }
    return 0
  }
}
