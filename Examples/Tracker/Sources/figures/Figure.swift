import Foundation

/// Alternating measurements of the tracker and of its counterpart without a pond.
struct Comparison: Sendable {
  /// The values measured for the tracker, one per round.
  private(set) var pond: [Double] = []

  /// The values measured for the counterpart, one per round.
  private(set) var other: [Double] = []

  mutating func add(pond: Double, other: Double) {
    self.pond.append(pond)
    self.other.append(other)
  }

  /// The ratios of the two values of each round, in increasing order. The two values of a round are
  /// measured while the machine is under the same load.
  var ratios: [Double] { zip(pond, other).map { $0 / $1 }.sorted() }
}

/// A human-readable comparison, with its target.
struct Figure: Sendable, CustomStringConvertible {
  enum Target: Sendable {
    case atLeast(Double)
    case atMost(Double)
  }

  private let name: String
  private let other: String
  private let comparison: Comparison
  private let target: Target?

  init(_ name: String, _ other: String, _ comparison: Comparison, target: Target?) {
    self.name = name
    self.other = other
    self.comparison = comparison
    self.target = target
  }

  var description: String {
    let ratios = comparison.ratios
    let ratio = ratios.median
    var lines = [
      name,
      "  tracker         \(Self.text(comparison.pond.sorted().median))",
      "  \(other.padding(toLength: 16, withPad: " ", startingAt: 0))"
        + Self.text(comparison.other.sorted().median),
      String(format: "  ratio           %10.3f", ratio) + spread(of: ratios) + verdict(on: ratio),
    ]
    if ratios.count > 1 { lines[0] += ", medians of \(ratios.count) rounds" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a description of the range of the middle half of the ratios.
  private func spread(of ratios: [Double]) -> String {
    guard ratios.count > 3 else { return "" }
    let (low, high) = (ratios[ratios.count / 4], ratios[ratios.count * 3 / 4])
    return String(format: ", half of them from %.3f to %.3f", low, high)
  }

  private func verdict(on ratio: Double) -> String {
    switch target {
    case nil: ""
    case .atLeast(let limit)?:
      String(format: "; to be at least %.2f: ", limit) + (ratio >= limit ? "kept" : "missed")
    case .atMost(let limit)?:
      String(format: "; to be at most %.2f: ", limit) + (ratio <= limit ? "kept" : "missed")
    }
  }

  private static func text(_ value: Double) -> String {
    String(format: value == value.rounded() ? "%10.0f" : "%10.2f", value)
  }
}

extension [Double] {
  /// The median of a sorted array, which must not be empty.
  fileprivate var median: Double { (self[(count - 1) / 2] + self[count / 2]) / 2 }
}
