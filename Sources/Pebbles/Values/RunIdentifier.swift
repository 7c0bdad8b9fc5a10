import Synchronization

/// Tells runs apart: a random number, or what a run is called that is driven from elsewhere.
public struct RunIdentifier: Sendable, Hashable, CustomStringConvertible {
  private let number: UInt64
  private let name: String?

  /// Makes a new one, different from all others.
  public init() {
    // The system is asked once, not for every run: it is a call that takes longer than a pebble.
    let count = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
    number = Self.seed ^ SplitMix64.mixed(count)
    name = nil
  }

  private static let seed = UInt64.random(in: .min ... .max)
  private static let count = Atomic<UInt64>(0)

  /// The identity of a run whose bodies are called in several processes, or again after one of them
  /// has died: what is called the same is the same run.
  ///
  /// - Parameter name: What the run is called, such as the identifier that a workflow engine has
  ///   for it; different from what any other run is called, also earlier ones.
  public init(_ name: String) {
    number = 0
    self.name = name
  }

  /// The number as sixteen hexadecimal digits, or what the run is called.
  public var description: String {
    if let name { return name }
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
