/// Tells the runs of a process apart: a random number.
public struct RunIdentifier: Sendable, Hashable, CustomStringConvertible {
  private let number = UInt64.random(in: .min ... .max)

  /// Makes a new one, different from all others.
  public init() {}

  /// The number as sixteen hexadecimal digits.
  public var description: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
