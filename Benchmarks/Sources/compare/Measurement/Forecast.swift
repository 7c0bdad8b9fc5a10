import Foundation
import Workloads

/// A forecast of the time that a contestant takes for a workload, based on smaller workloads. It is
/// used to omit runs that would take too long.
struct Forecast {
  private struct Subject: Hashable {
    let contestant: String
    let shape: Shape
  }

  private var points: [Subject: [(size: Int, seconds: Double)]] = [:]

  /// Records a measurement. Sizes must be recorded in increasing order.
  mutating func note(_ entry: Entry, took seconds: Double) {
    let subject = Subject(contestant: entry.contestant.name, shape: entry.workload.shape)
    points[subject, default: []].append((entry.workload.count, seconds))
  }

  /// Returns the predicted time in seconds, extrapolated from the last two measurements by a power
  /// law; `nil` if there are fewer than two measurements.
  func seconds(for entry: Entry) -> Double? {
    let subject = Subject(contestant: entry.contestant.name, shape: entry.workload.shape)
    guard let known = points[subject]?.suffix(2), known.count == 2,
      let before = known.first, let last = known.last, last.size > before.size
    else { return nil }
    let growth = log(last.seconds / before.seconds) / log(Double(last.size) / Double(before.size))
    let factor = pow(Double(entry.workload.count) / Double(last.size), max(1, growth))
    return last.seconds * factor
  }

  /// Measures the contestant of an entry at two small sizes of the same shape, unless there are
  /// already enough measurements.
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
