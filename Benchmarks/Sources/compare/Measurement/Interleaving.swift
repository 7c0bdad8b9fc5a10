import Workloads

/// One contestant on one workload.
struct Entry: Sendable {
  let contestant: any Contestant
  let workload: Workload
  /// How many bodies must have run.
  let executed: Int

  init(_ contestant: any Contestant, _ workload: Workload) {
    self.contestant = contestant
    self.workload = workload
    executed = workload.endings().count { $0 != .skipped }
  }

  /// Runs it once, checks that it ran what it should, and returns what each part took.
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

/// Measures entries in turn (A B C A B C …), so that whatever slows the machine down for a while
/// slows all of them, and ratios can be taken within one round.
struct Interleaving: Sendable {
  let rounds: Int
  /// A sample is the mean over as many runs as fit into this time; at least one.
  let sampleLength: Duration

  /// For each entry, a sample per round.
  func measure(_ entries: [Entry]) async throws -> [[Phases]] {
    var repetitions: [Int] = []
    for entry in entries { repetitions.append(try await warmUp(entry)) }

    var samples: [[Phases]] = Array(repeating: [], count: entries.count)
    for _ in 0..<rounds {
      for (index, entry) in entries.enumerated() {
        let sample = try await sample(entry, repetitions: repetitions[index])
        samples[index].append(sample)
        // What was built may be released by another thread; that must not slow the next one down.
        try await Task.sleep(for: .milliseconds(1) + sample.total.wall / 5)
      }
    }
    return samples
  }

  /// Runs the entry, once where it takes long and for a tenth of a sample where it does not, and
  /// returns how many runs make a sample.
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
