import Foundation
import Synchronization

/// An object that runs the tests with one mutant at a time.
final class Player: Sendable {
  let workplace: Workplace

  /// The maximum total time of the suites that are run with each mutant, in seconds that they take
  /// when run alone. If the value is `nil`, all suites are run.
  private let within: Double?

  /// The suites that pass without a mutant.
  private let suites: [Suite]

  /// The number of mutants that each suite has detected in each file, keyed by file and suite.
  private let kills = Mutex([String: [String: Int]]())

  /// The maximum total times of the suites in the first processes, in seconds that the suites take
  /// when run alone. The last one also applies to all further processes. The cheapest suites are
  /// run first. A process ends at the first failure, and it takes a third of a second to start
  /// another one.
  private static let budgets = [2.0, 8, 30]

  /// The factor by which suites may take longer than when run alone, because other programs also
  /// use the machine. In addition, they may take `allowance` seconds.
  private static let patience = 6.0
  private static let allowance = 25.0

  /// The number of seconds that may pass between two lines of output, in addition to `patience`
  /// times the time of the slowest suite. It ends tests that compute forever. Tests that wait
  /// forever end by themselves after ten seconds.
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

  /// Takes a known verdict into account for the order in which suites are run.
  func learn(_ verdict: Verdict, of mutant: Mutant) {
    guard let suite = verdict.suite else { return }
    kills.withLock { $0[mutant.file, default: [:]][suite, default: 0] += 1 }
  }

  /// Runs the suites that reach the mutant until a test fails.
  ///
  /// If `isRepeated` is `true`, the time limits are longer, because the mutant has hung once and
  /// the machine may have been busy.
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

  /// Returns the suites that reach the mutant. Suites that are cheap, or that have detected other
  /// mutants in its file, come first.
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

  /// Returns whether a suite reaches a mutant. For mutants of the script of the page, only suites
  /// of PebblesPictures count, because others write the script to files but do not run it.
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
