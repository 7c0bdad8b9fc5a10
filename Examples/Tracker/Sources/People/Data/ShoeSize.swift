/// A European shoe size, in steps of half a size: 42, 42.5, 43.
public struct ShoeSize: Sendable, Hashable, Comparable {
  /// The size times two.
  public let halves: UInt8

  /// The smallest size.
  public static let smallest = ShoeSize(halves: 60)

  /// The largest size.
  public static let largest = ShoeSize(halves: 110)

  init(halves: UInt8) { self.halves = halves }

  /// Creates a size from a number. Returns `nil` if there is no such size.
  ///
  /// - Parameter number: A whole or half number from 30 to 55.
  public init?(_ number: Double) {
    guard let halves = UInt8(exactly: number * 2) else { return nil }
    self.init(halves: halves)
    guard (Self.smallest...Self.largest).contains(self) else { return nil }
  }

  /// The size as a number.
  public var number: Double { Double(halves) / 2 }

  /// Returns whether the first size is smaller than the second.
  public static func < (one: ShoeSize, other: ShoeSize) -> Bool { one.halves < other.halves }
}

extension ShoeSize: CustomStringConvertible {
  /// The size as a string, such as `42` or `42.5`.
  public var description: String {
    halves.isMultiple(of: 2) ? "\(halves / 2)" : "\(halves / 2).5"
  }
}
