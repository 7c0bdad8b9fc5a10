/// A seeded random number generator that generates the same numbers on every platform and in every
/// version.
///
/// The standard library does not promise this for `Int.random(in:using:)`, so this type also
/// generates numbers in a range.
public struct SplitMix64: Sendable {
  private var state: UInt64

  /// Creates a generator.
  ///
  /// - Parameter seed: The seed; all seeds are equally good.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a uniformly distributed random number below a bound.
  ///
  /// - Parameter bound: The bound, at least 1.
  /// - Returns: A number from 0 up to but not including `bound`.
  public mutating func next(below bound: Int) -> Int {
    precondition(bound > 0, "a random number below \(bound) cannot be")
    let bound = UInt64(bound)
    // The upper half of the product is uniform if products with a lower half below this are
    // rejected.
    let uneven = (0 &- bound) % bound
    while true {
      let product = bound.multipliedFullWidth(by: next())
      if product.low >= uneven { return Int(product.high) }
    }
  }
}
