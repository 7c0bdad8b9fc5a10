import Foundation

/// Compares the number of threads after a tenth of the rounds with that at the end.
struct ThreadGrowth {
  /// Threads for blocking bodies come and go with what the rounds ask for.
  private static let allowance = 12

  private let rounds: Int
  private var afterTenth: Int?
  private var atEnd: Int?

  init(rounds: Int) {
    self.rounds = rounds
  }

  mutating func roundEnded(_ count: Int) {
    if count == max(1, rounds / 10) { afterTenth = Self.threads }
    if count == rounds { atEnd = Self.threads }
  }

  var isGrowing: Bool {
    guard let afterTenth, let atEnd else { return false }
    return atEnd > afterTenth + Self.allowance
  }

  var summary: String {
    let verdict = isGrowing ? "FAILED: threads pile up" : "threads are flat"
    return "\(verdict): \(Self.text(afterTenth)) after a tenth, \(Self.text(atEnd)) at the end"
  }

  /// `nil` where the system does not tell the way Linux does.
  private static var threads: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }

  private static func text(_ count: Int?) -> String {
    count.map(String.init) ?? "(unknown)"
  }
}
