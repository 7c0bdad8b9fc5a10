/// A filter for a closed range of shoe sizes.
public struct ShoeSizeFilter: Leaf {
  /// The filter that matches all shoe sizes.
  public static let all = ShoeSizeFilter(ShoeSize.smallest...ShoeSize.largest)

  /// The sizes that match.
  public let sizes: ClosedRange<ShoeSize>

  /// Creates a filter.
  ///
  /// - Parameter sizes: The sizes that match.
  public init(_ sizes: ClosedRange<ShoeSize>) { self.sizes = sizes }

  /// Creates a filter from numbers.
  ///
  /// - Parameters:
  ///   - smallest: The smallest size that matches; the smallest possible by default.
  ///   - largest: The largest size that matches; the largest possible by default.
  /// - Throws: ``FilterError`` if a number is not a shoe size, or the largest is smaller than the
  ///   smallest.
  public init(from smallest: Double?, to largest: Double?) throws {
    let first = try smallest.map(Self.size) ?? ShoeSize.smallest
    let last = try largest.map(Self.size) ?? ShoeSize.largest
    guard first <= last else {
      throw FilterError(
        description: "No shoe size is both at least \(first) and at most \(last); swap them.")
    }
    sizes = first...last
  }

  private static func size(_ number: Double) throws -> ShoeSize {
    guard let size = ShoeSize(number) else {
      throw FilterError(
        description: """
          \(number) is not a shoe size; there are whole and half ones from \
          \(ShoeSize.smallest) to \(ShoeSize.largest).
          """)
    }
    return size
  }

  var matchesEverybody: Bool { self == .all }

  func matches(in people: People) throws -> PersonSet {
    let (first, last) = (sizes.lowerBound.halves, sizes.upperBound.halves)
    return try people.shoeSizes.withUnsafeBufferPointer { sizes in
      try PersonSet(of: people.count) { person in
        first <= sizes[person] && sizes[person] <= last
      }
    }
  }
}
