/// Random numbers that a seed determines, the same on every platform and in every version.
///
/// That of the standard library's `Int.random(in:using:)` is not promised, so numbers in a range
/// are made here too.
public struct SplitMix64: Sendable {
  private var state: UInt64

  /// - Parameter seed: What determines all that follows; any number is as good as another.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number below another one, each as likely as any other.
  ///
  /// - Parameter bound: At least 1.
  /// - Returns: A number from 0 up to, and without, `bound`.
  public mutating func next(below bound: Int) -> Int {
    precondition(bound > 0, "a random number below \(bound) cannot be")
    let bound = UInt64(bound)
    // The upper half of a product is even, but for the few bits below this.
    let uneven = (0 &- bound) % bound
    while true {
      let product = bound.multipliedFullWidth(by: next())
      if product.low >= uneven { return Int(product.high) }
    }
  }
}
