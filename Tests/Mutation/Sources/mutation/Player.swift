import Foundation
import Synchronization

/// Runs the tests with one mutant at a time.
final class Player: Sendable {
  let workplace: Workplace

  /// How much is run with each mutant, in seconds of the suites alone; all of them, if `nil`.
  private let within: Double?

  /// Those that pass without a mutant.
  private let suites: [Suite]

  /// By file, how often a suite has noticed a mutant there.
  private let kills = Mutex([String: [String: Int]]())

  /// In seconds of the suites alone: how much is run in one process, the first ones being those
  /// that cost least. A process ends at the first failure, but begins anew in a third of a second.
  private static let budgets = [2.0, 8, 30]

  /// How much longer than alone suites may take, on a machine that others use as well, and how many
  /// seconds beyond that.
  private static let patience = 6.0
  private static let allowance = 25.0

  /// The same between two lines, with the suite that takes longest. Tests that wait for ever say so
  /// themselves after ten seconds; this is for those that compute for ever.
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

  /// Lets what is known already say which suites are to be first.
  func learn(_ verdict: Verdict, of mutant: Mutant) {
    guard let suite = verdict.suite else { return }
    kills.withLock { $0[mutant.file, default: [:]][suite, default: 0] += 1 }
  }

  /// Runs the suites that come to the mutant, until a test fails.
  ///
  /// One that has hung once gets more time, as the machine may have been busy with something else.
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

  /// The suites that come to the mutant: those that cost little first, and those that have noticed
  /// others in its file.
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

  /// Many write the page's script into files, and few run it.
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

  /// Which suites come to a mutant.
  func suites(reaching mutant: Mutant) -> [String] {
    suites.filter { comes($0, to: mutant) }.map(\.name)
  }
}
