import Foundation
import Synchronization

/// A player that runs the tests with one mutant at a time.
final class Player: Sendable {
  let workplace: Workplace

  /// The maximum time of the suites that are run with each mutant, in seconds. The times are those
  /// of suites that run alone. If the value is `nil`, all suites are run.
  private let within: Double?

  /// The suites that pass without a mutant.
  private let suites: [Suite]

  /// The number of times that each suite has detected a mutant, keyed by the file of the mutant and
  /// then by suite.
  private let kills = Mutex([String: [String: Int]]())

  /// The maximum times of the suites that are run in one process, in seconds, starting with the
  /// fastest suites. The times are those of suites that run alone. A process ends at the first
  /// failure, and starts within a third of a second.
  private static let budgets = [2.0, 8, 30]

  /// The factor by which suites may take longer than alone, because the machine is also used by
  /// others. `allowance` is the additional time in seconds.
  private static let patience = 6.0
  private static let allowance = 25.0

  /// The additional time between two lines of output, for the slowest suite. Tests that wait
  /// forever report it after ten seconds, so this limit applies only to tests that compute forever.
  private static let silence = 20.0

  init(workplace: Workplace, within: Double?) throws {
    self.workplace = workplace
    self.within = within
    let all = try Suite.readAll(workplace)
    let start = all.map(\.seconds).min() ?? 0
    suites = all.filter(\.passes).map { suite in
      var suite = suite
      // What a process costs is not paid for each.
      suite.seconds = max(0.05, suite.seconds - start)
      return suite
    }
  }

  /// Uses an earlier verdict to choose the suites to run first.
  func learn(_ verdict: Verdict, of mutant: Mutant) {
    guard let suite = verdict.suite else { return }
    kills.withLock { $0[mutant.file, default: [:]][suite, default: 0] += 1 }
  }

  /// Runs the suites that reach the mutant, until a test fails.
  ///
  /// A mutant whose tests have not ended once gets more time, because the machine may have been
  /// busy with other work.
  func play(_ mutant: Mutant, isRepeated: Bool = false, job: Int) throws -> Verdict {
    let start = ContinuousClock.now
    let reaching = ordered(for: mutant)
    func verdict(_ end: Verdict.End, _ by: String = "", _ suite: Suite? = nil) -> Verdict {
      let time = start.duration(to: .now) / .milliseconds(1)
      return Verdict(
        id: mutant.id, end: end, isRepeated: isRepeated, by: by, suite: suite?.name,
        suites: reaching.count, seconds: (time / 10).rounded() / 100)
    }
    guard !reaching.isEmpty else { return verdict(.unreached) }
    for batch in batches(of: reaching) {
      let alone = batch.reduce(0) { $0 + $1.seconds }
      let factor = isRepeated ? 2.5 : 1
      let limit = (Self.allowance + Self.patience * alone) * factor
      let process = TestProcess(
        workplace: workplace, suites: batch.map(\.name), mutant: mutant.number, limit: limit,
        silenceLimit: (Self.silence + Self.patience * (batch.map(\.seconds).max() ?? 0)) * factor,
        job: job)
      let (end, failure) = try process.run()
      switch end {
      case .exited(0): continue
      case .outOfTime:
        return verdict(.hung, "no end", batch.count == 1 ? batch[0] : nil)
      case .stopped:
        let line = failure ?? ""
        return verdict(.killed, line, Suite.named(in: line, among: batch))
      case .exited(let status): return verdict(.crashed, "exit status \(status)")
      case .signaled(let signal): return verdict(.crashed, "signal \(signal)")
      }
    }
    return verdict(.survived)
  }

  /// Returns the suites that reach the mutant. The fastest suites come first, and those that have
  /// detected other mutants in the same file.
  private func ordered(for mutant: Mutant) -> [Suite] {
    let counts = kills.withLock { $0[mutant.file] ?? [:] }
    let weighed = suites.filter { comes($0, to: mutant) }.map { suite in
      (suite, suite.seconds / Double(1 + counts[suite.name, default: 0]))
    }
    let ordered = weighed.sorted { $0.1 < $1.1 }.map(\.0)
    guard let within else { return ordered }
    var cost = 0.0
    return Array(
      ordered.prefix { suite in
        cost += suite.seconds
        return cost <= within || suite.name == ordered.first?.name
      })
  }

  /// Returns whether a suite can detect a mutant. Many suites write the script of the page to
  /// files, but only a few execute it.
  private func comes(_ suite: Suite, to mutant: Mutant) -> Bool {
    suite.reached.contains(mutant.id)
      && (mutant.room != Room.page.name || suite.name.hasPrefix("PebblesPicturesTests."))
  }

  private func batches(of suites: [Suite]) -> [[Suite]] {
    var batches: [[Suite]] = []
    var batch: [Suite] = []
    var cost = 0.0
    for suite in suites {
      let budget = Self.budgets[min(batches.count, Self.budgets.count - 1)]
      if !batch.isEmpty, cost + suite.seconds > budget {
        batches.append(batch)
        (batch, cost) = ([], 0)
      }
      batch.append(suite)
      cost += suite.seconds
    }
    return batch.isEmpty ? batches : batches + [batch]
  }

  /// Returns the names of the suites that reach a mutant.
  func suites(reaching mutant: Mutant) -> [String] {
    suites.filter { comes($0, to: mutant) }.map(\.name)
  }
}
