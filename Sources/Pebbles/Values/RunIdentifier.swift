import Synchronization

/// An identifier that distinguishes a run from all others: a random number, or a name that the
/// program gives to the run.
public struct RunIdentifier: Sendable, Hashable, CustomStringConvertible {
  private let number: UInt64
  private let name: String?

  /// Creates a new identifier, different from all others.
  public init() {
    // The system is asked for a random number only once, because asking takes longer than running a
    // pebble.
    let count = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
    number = Self.seed ^ SplitMix64.mixed(count)
    name = nil
  }

  private static let seed = UInt64.random(in: .min ... .max)
  private static let count = Atomic<UInt64>(0)

  /// Creates an identifier from a name.
  ///
  /// Use a name if the run's bodies are called in more than one process, or again after a process
  /// has died. Runs with the same name are the same run.
  ///
  /// - Parameter name: The name of the run, such as its identifier in a workflow engine. It must
  ///   differ from the names of all other runs, including earlier runs.
  public init(_ name: String) {
    number = 0
    self.name = name
  }

  /// The number as sixteen hexadecimal digits, or the name of the run.
  public var description: String {
    if let name { return name }
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
