extension String {
  /// The text on one line, with what cannot be seen made visible, so that it can stand in a table.
  package var singleLine: String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    var line = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": line += "⏎"
      case "\t": line += " "
      case "\u{200D}": line.unicodeScalars.append(scalar)  // joins emoji
      case let control where control.isInvisible:
        line += "\\u{\(String(control.value, radix: 16, uppercase: true))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// At most `count` characters, the last one `…` if any were cut.
  ///
  /// A single character can be made of any number of scalars, which some readers of pictures cannot
  /// take, so there are at most eight times as many of those.
  package func truncated(to count: Int) -> String {
    let head = String(unicodeScalars.prefix(8 * count))
    guard head.count > count || head.utf8.count < utf8.count else { return self }
    return head.prefix(count - 1) + "…"
  }

  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - self.count))
  }

  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - self.count)) + self
  }
}

extension Duration {
  /// The duration in three digits, rounded, and a fitting unit: `12.3 ms`.
  package var brief: String {
    let units: [(name: String, size: UInt64)] = [
      ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
    ]
    let nanoseconds = min(self.nanoseconds, .max - 1_000_000_000)
    guard nanoseconds >= 1_000 else { return "\(nanoseconds) ns" }
    var whole: UInt64 = 0
    for unit in units {
      let hundredths = nanoseconds.rounded(to: unit.size / 100)
      if hundredths < 1_000 { return "\(hundredths.withPoint(before: 2)) \(unit.name)" }
      let tenths = nanoseconds.rounded(to: unit.size / 10)
      if tenths < 1_000 { return "\(tenths.withPoint(before: 1)) \(unit.name)" }
      whole = nanoseconds.rounded(to: unit.size)
      if whole < 1_000 { return "\(whole) \(unit.name)" }
    }
    return "\(whole) s"
  }
}

extension UInt64 {
  /// How many times `step` the number is, rounded half up.
  fileprivate func rounded(to step: UInt64) -> UInt64 { (self + step / 2) / step }

  fileprivate func withPoint(before digits: Int) -> String {
    let text = "\(self)"
    return "\(text.dropLast(digits)).\(text.suffix(digits))"
  }
}
