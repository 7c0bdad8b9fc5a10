import Foundation
import Workloads

/// A prediction of the time of a contestant at a size from smaller sizes, to avoid long quadratic
/// runs.
struct Forecast {
  private struct Subject: Hashable {
    let contestant: String
    let shape: Shape
  }

  private var points: [Subject: [(size: Int, seconds: Double)]] = [:]

  /// Records a measurement; sizes must grow.
  mutating func note(_ entry: Entry, took seconds: Double) {
    let subject = Subject(contestant: entry.contestant.name, shape: entry.workload.shape)
    points[subject, default: []].append((entry.workload.count, seconds))
  }

  /// Returns the predicted seconds, by a power law through the last two measurements; nil if there
  /// are fewer.
  func seconds(for entry: Entry) -> Double? {
    let subject = Subject(contestant: entry.contestant.name, shape: entry.workload.shape)
    guard let known = points[subject]?.suffix(2), known.count == 2,
      let before = known.first, let last = known.last, last.size > before.size
    else { return nil }
    let growth = log(last.seconds / before.seconds) / log(Double(last.size) / Double(before.size))
    let factor = pow(Double(entry.workload.count) / Double(last.size), max(1, growth))
    return last.seconds * factor
  }

  /// Runs the entry's contestant on two small sizes of its shape, unless there are enough
  /// measurements.
  mutating func probe(_ entry: Entry) async throws {
    guard seconds(for: entry) == nil, entry.workload.shape.isScalable else { return }
    for size in [1_000, 4_000] {
      let small = Entry(entry.contestant, Workload(entry.workload.shape, size: size))
      var best = Double.infinity
      for _ in 0..<3 { best = min(best, try await small.measure().total.wall.seconds) }
      note(small, took: best)
    }
  }
}
