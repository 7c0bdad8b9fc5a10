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

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - self.count))
  }

  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - self.count)) + self
  }
}

extension Duration {
  /// The duration in three digits and a fitting unit: `12.3 ms`.
  package var brief: String {
    let nanoseconds = self.nanoseconds
    let units: [(name: String, size: UInt64)] = [
      ("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000),
    ]
    guard let unit = units.first(where: { nanoseconds >= $0.size }) else {
      return "\(nanoseconds) ns"
    }
    let whole = nanoseconds / unit.size
    let thousandths = nanoseconds % unit.size / (unit.size / 1000)
    let fraction =
      switch whole {
      case ..<10: "." + "\(thousandths / 10)".zeroPadded(to: 2)
      case ..<100: ".\(thousandths / 100)"
      default: ""
      }
    return "\(whole)\(fraction) \(unit.name)"
  }
}

extension String {
  fileprivate func zeroPadded(to width: Int) -> String {
    String(repeating: "0", count: Swift.max(0, width - count)) + self
  }
}
