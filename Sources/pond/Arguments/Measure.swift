import Pebbles

/// Methods that parse durations, factors and limits in options. Some options also take the name of
/// a pebble, as in `NAME=2` or `NAME=50ms`.
extension Arguments {
  /// Returns the name before the last `=` and the value after it. The name may itself contain `=`.
  func assignment(_ text: String, of option: String) throws(UsageError) -> (String, String) {
    guard let (name, value) = text.splitAtLastEqualsSign, !name.isEmpty else {
      let placeholder = syntax.option(option)?.value?.placeholder ?? "NAME=VALUE"
      throw fault("\(option) takes \(placeholder), not \(Self.shown(text))")
    }
    return (name, value)
  }

  /// Returns the duration that a string such as `1.5s` describes. The unit can be `ns`, `us`, `µs`,
  /// `ms`, `s` or `min`.
  func duration(_ text: String, of option: String) throws(UsageError) -> Duration {
    let units: [(String, Int64)] = [
      ("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("min", 60_000_000_000),
      ("s", 1_000_000_000),
    ]
    for (unit, nanoseconds) in units where text.hasSuffix(unit) {
      guard let number = Self.positive(text.dropLast(unit.count)) else { break }
      let product = number * Double(nanoseconds)
      guard product < 0x1p63 else {
        throw fault("\(option) takes a time of at most 292 years, not \(Self.shown(text))")
      }
      return .nanoseconds(Int64(product.rounded()))
    }
    throw fault("\(option) takes a time such as 800ms or 1.5s, not \(Self.shown(text))")
  }

  /// Returns the factor that a string such as `2` or `1.2` describes.
  func factor(_ text: String, of option: String) throws(UsageError) -> Double {
    guard let number = Self.positive(text[...]), number > 0 else {
      throw fault("\(option) takes a factor above zero such as 1.2, not \(Self.shown(text))")
    }
    return number
  }

  /// Returns the limit that a string describes: a duration such as `50ms`, or a multiple of another
  /// duration, such as `1.2x`.
  func limit(_ text: String, of option: String) throws(UsageError) -> Limit {
    text.hasSuffix("x")
      ? .factor(try factor(String(text.dropLast()), of: option))
      : .duration(try duration(text, of: option))
  }

  enum Limit: Equatable {
    case duration(Duration)
    case factor(Double)
  }

  /// Returns the value of a short string of digits, with or without a decimal point; `nil` for any
  /// other string, even if `Double` accepts it.
  private static func positive(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.count < 20,
      text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E })
    else { return nil }
    return Double(text)
  }
}

extension String {
  /// The parts before and after the last `=`; `nil` if the string contains no `=`. The string is
  /// split between scalars, because a combining mark after the `=` would be part of the same
  /// character.
  var splitAtLastEqualsSign: (before: String, after: String)? {
    guard let sign = unicodeScalars.lastIndex(of: "=") else { return nil }
    return (String(unicodeScalars[..<sign]), String(unicodeScalars[sign...].dropFirst()))
  }
}
