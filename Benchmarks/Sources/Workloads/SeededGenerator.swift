/// A generator of pseudo-random numbers that uses the SplitMix64 algorithm. The sequence depends
/// only on the seed, so all runs measure the same graphs.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next number of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `count` different numbers from a range, or the whole range if it is smaller.
  public mutating func distinct(_ count: Int, from range: Range<Int>) -> [Int] {
    guard range.count > count else { return Array(range) }
    var chosen: [Int] = []
    while chosen.count < count {
      let candidate = Int.random(in: range, using: &self)
      if !chosen.contains(candidate) { chosen.append(candidate) }
    }
    return chosen
  }
}
