import Workloads

/// A contestant and the workload that it runs.
struct Entry: Sendable {
  let contestant: any Contestant
  let workload: Workload
  /// The number of bodies that must run.
  let executed: Int

  init(_ contestant: any Contestant, _ workload: Workload) {
    self.contestant = contestant
    self.workload = workload
    executed = workload.endings().count { $0 != .skipped }
  }

  /// Runs the workload once, checks that the right number of bodies ran, and returns the times.
  func measure() async throws -> Phases {
    let tally = Tally()
    let start = Moment.now
    var phases = try await contestant.run(workload, tally: tally)
    phases.release = Moment.now - start - phases.total
    guard tally.count == executed else {
      throw ComparisonError.wrongCount(contestant.name, workload.shape, executed: tally.count)
    }
    return phases
  }
}

/// A measurement that takes samples of several entries in turn (A B C A B C …). A temporary
/// slowdown of the machine therefore affects all entries, and ratios can be computed within each
/// round.
struct Interleaving: Sendable {
  let rounds: Int
  /// The duration of a sample. A sample is the mean of as many runs as fit into this duration, but
  /// of at least one run.
  let sampleLength: Duration

  /// Returns the samples of each entry, one per round.
  func measure(_ entries: [Entry]) async throws -> [[Phases]] {
    var repetitions: [Int] = []
    for entry in entries { repetitions.append(try await warmUp(entry)) }

    var samples: [[Phases]] = Array(repeating: [], count: entries.count)
    for _ in 0..<rounds {
      for (index, entry) in entries.enumerated() {
        let sample = try await sample(entry, repetitions: repetitions[index])
        samples[index].append(sample)
        // Another thread may still be releasing objects, which must not slow down the next sample.
        try await Task.sleep(for: .milliseconds(1) + sample.total.wall / 5)
      }
    }
    return samples
  }

  /// Warms up by running the entry for a tenth of the sample length, but at least once. Returns the
  /// number of runs that fit into a sample.
  private func warmUp(_ entry: Entry) async throws -> Int {
    let clock = ContinuousClock()
    let start = clock.now
    var runs = 0
    var last = Duration.zero
    repeat {
      let before = clock.now
      _ = try await entry.measure()
      last = clock.now - before
      runs += 1
    } while clock.now - start < sampleLength / 10
    return max(1, Int(sampleLength / max(last, .nanoseconds(1))))
  }

  private func sample(_ entry: Entry, repetitions: Int) async throws -> Phases {
    var sum = Phases()
    for _ in 0..<repetitions { sum += try await entry.measure() }
    return sum / repetitions
  }
}
