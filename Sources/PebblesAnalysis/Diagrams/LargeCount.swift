/// A number of assignments, or of endings, which may be larger than any integer: exact below 2¹²⁸;
/// from there on its first 128 bits, with how many follow.
///
/// It is zero only if there is nothing at all, so that this much is exact, however many there are.
package struct LargeCount: Sendable, Hashable {
  private var bits: UInt128

  /// How many bits were cut off behind those; if any were, the first of them is set.
  private var cut = 0

  package init(_ count: UInt128) {
    bits = count
  }

  /// The number; `nil` from 2¹²⁸ up.
  package var exact: UInt128? { cut == 0 ? bits : nil }

  /// The number, at most `UInt128.max`.
  package var saturated: UInt128 { exact ?? .max }

  /// Twice the number so many times.
  func doubled(_ times: UInt32) -> LargeCount {
    guard bits > 0 else { return self }
    let shift = min(Int(times), bits.leadingZeroBitCount)
    var result = LargeCount(bits << shift)
    result.cut = cut + Int(times) - shift
    return result
  }

  static func + (left: LargeCount, right: LargeCount) -> LargeCount {
    let (small, large) = left.cut < right.cut ? (left, right) : (right, left)
    let (sum, isOverflow) =
      large.bits.addingReportingOverflow(small.bits >> (large.cut - small.cut))
    var result = LargeCount(isOverflow ? sum >> 1 | 1 << 127 : sum)
    result.cut = large.cut + (isOverflow ? 1 : 0)
    return result
  }

  /// How large a part it is of a number that is no smaller, from 0 to 1, as closely as a `Double`
  /// says it.
  package func share(of whole: LargeCount) -> Double {
    guard bits > 0, whole.bits > 0 else { return 0 }
    let ratio = Double(bits) / Double(whole.bits)
    return Double(sign: .plus, exponent: cut - whole.cut, significand: ratio)
  }

  /// It and the number that it is a part of: `88 of 368`; `about 2^128 of about 2^129` with
  /// the share if one of them is not exact.
  ///
  /// - Parameters:
  ///   - whole: The number that it is a part of.
  ///   - thing: What is counted, in the singular.
  /// - Returns: Both.
  package func text(of whole: LargeCount, _ thing: String) -> String {
    let text = "\(self) of \(whole.counted(thing))"
    guard whole.exact == nil, bits > 0 else { return text }
    return "\(text) (\(percentage(of: whole)))"
  }

  /// How large a part it is, in words that hold of a share that was rounded, too.
  package func percentage(of whole: LargeCount) -> String {
    let share = share(of: whole)
    if share < 0.001 { return "less than 0.1%" }
    if share > 0.999 { return "more than 99.9%" }
    let thousandths = Int((share * 1000).rounded())
    let fraction = thousandths % 10 == 0 ? "" : ".\(thousandths % 10)"
    return "\(thousandths / 10)\(fraction)%"
  }

  /// With what is counted: `1 ending`, `368 endings`.
  package func counted(_ thing: String) -> String {
    "\(self) \(thing)\(exact == 1 ? "" : "s")"
  }
}

extension LargeCount: CustomStringConvertible {
  /// The number, or from 2¹²⁸ up `about 2^129` or `about 1.5 × 2^129`.
  package var description: String {
    if let exact { return "\(exact)" }
    // The first eight bits are a number of 128ths, from one to two.
    let tenths = (Int(bits >> 120) * 10 + 64) / 128
    let exponent = cut + 127
    if tenths == 10 { return "about 2^\(exponent)" }
    if tenths == 20 { return "about 2^\(exponent + 1)" }
    return "about 1.\(tenths - 10) × 2^\(exponent)"
  }
}
