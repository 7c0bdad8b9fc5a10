/// A count that may be too large for any integer type, such as a number of endings. The count is
/// exact below 2¹²⁸. For a larger count, only the highest 128 bits are stored, together with the
/// number of lower bits that were dropped.
///
/// A count is never rounded to zero, so it is zero only if there is nothing to count.
package struct LargeCount: Sendable, Hashable {
  private var bits: UInt128

  /// The number of lower bits that are not stored. If it is positive, the highest bit of `bits` is
  /// set.
  private var droppedBits = 0

  package init(_ count: UInt128) {
    bits = count
  }

  /// The exact number; `nil` if it is 2¹²⁸ or more.
  package var exact: UInt128? { droppedBits == 0 ? bits : nil }

  /// The number, or `UInt128.max` if it is larger.
  package var saturated: UInt128 { exact ?? .max }

  /// Returns this number doubled `times` times.
  func doubled(_ times: UInt32) -> LargeCount {
    guard bits > 0 else { return self }
    let shift = min(Int(times), bits.leadingZeroBitCount)
    var result = LargeCount(bits << shift)
    result.droppedBits = droppedBits + Int(times) - shift
    return result
  }

  static func + (left: LargeCount, right: LargeCount) -> LargeCount {
    let (small, large) = left.droppedBits < right.droppedBits ? (left, right) : (right, left)
    let (sum, isOverflow) =
      large.bits.addingReportingOverflow(small.bits >> (large.droppedBits - small.droppedBits))
    var result = LargeCount(isOverflow ? sum >> 1 | 1 << 127 : sum)
    result.droppedBits = large.droppedBits + (isOverflow ? 1 : 0)
    return result
  }

  /// Returns the ratio of this number to a number that is at least as large. The ratio is between 0
  /// and 1, with the precision of a `Double`.
  package func share(of whole: LargeCount) -> Double {
    guard bits > 0, whole.bits > 0 else { return 0 }
    let ratio = Double(bits) / Double(whole.bits)
    return Double(sign: .plus, exponent: droppedBits - whole.droppedBits, significand: ratio)
  }

  /// Returns this number as a part of a whole, in words: `88 of 368 endings`. If the whole is not
  /// exact and this number is not zero, a percentage follows:
  /// `about 2^128 of about 2^129 endings (50%)`.
  ///
  /// - Parameters:
  ///   - whole: The total that includes this number.
  ///   - thing: The singular noun for the things that are counted.
  /// - Returns: The description.
  package func text(of whole: LargeCount, _ thing: String) -> String {
    let text = "\(self) of \(whole.counted(thing))"
    guard whole.exact == nil, bits > 0 else { return text }
    return "\(text) (\(percentage(of: whole)))"
  }

  /// Returns this number's share of the whole as a percentage. The result is `less than 0.1%` for
  /// every share below 0.001, including 0, and `more than 99.9%` for every share above 0.999,
  /// including 1.
  package func percentage(of whole: LargeCount) -> String {
    let share = share(of: whole)
    if share < 0.001 { return "less than 0.1%" }
    if share > 0.999 { return "more than 99.9%" }
    let thousandths = Int((share * 1000).rounded())
    let fraction = thousandths % 10 == 0 ? "" : ".\(thousandths % 10)"
    return "\(thousandths / 10)\(fraction)%"
  }

  /// Returns the number followed by the noun for the things counted: `1 ending`, `368 endings`.
  package func counted(_ thing: String) -> String {
    "\(self) \(thing)\(exact == 1 ? "" : "s")"
  }
}

extension LargeCount: CustomStringConvertible {
  /// A description of the number. A number of 2¹²⁸ or more is approximated: `about 2^129` or
  /// `about 1.5 × 2^129`.
  package var description: String {
    if let exact { return "\(exact)" }
    // The first eight bits give the factor in 128ths, from one to two.
    let tenths = (Int(bits >> 120) * 10 + 64) / 128
    let exponent = droppedBits + 127
    if tenths == 10 { return "about 2^\(exponent)" }
    if tenths == 20 { return "about 2^\(exponent + 1)" }
    return "about 1.\(tenths - 10) × 2^\(exponent)"
  }
}
