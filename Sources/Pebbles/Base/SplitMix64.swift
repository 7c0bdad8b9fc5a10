/// The SplitMix64 random number generator (G. L. Steele, D. Lea, C. H. Flood, *Fast splittable
/// pseudorandom number generators*, OOPSLA 2014). A seed produces the same numbers on every
/// platform.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @inlinable
  package init(seed: UInt64) {
    state = seed
  }

  @inlinable
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Returns a seemingly random number that depends only on the argument. Different arguments
  /// produce different results.
  @inlinable
  package static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a random number from 0 up to but not including `bound`, which must be at least 1.
  ///
  /// The method does not use `Int.random(in:using:)`, because later versions of the standard
  /// library may compute different numbers from the same generator. A seed would then no longer
  /// reproduce the same schedule.
  @inlinable
  package mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
