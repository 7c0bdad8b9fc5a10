import Pebbles
import PebblesAnalysis

/// A value to be written as JSON.
indirect enum JSON: Sendable {
  case text(String)
  case number(String)
  case truth(Bool)
  case null
  case list([JSON])
  case object(KeyValuePairs<String, JSON>)

  static func number(_ number: some BinaryInteger) -> JSON { .number("\(number)") }

  /// Returns an exact count, or null if it is unknown, or is 2¹²⁸ or more. So no inexact number is
  /// taken to be exact.
  static func count(_ count: LargeCount?) -> JSON {
    .optional(count?.exact) { .number($0) }
  }

  /// Returns an inexact count in words; null if the count is exact or unknown.
  static func about(_ count: LargeCount?) -> JSON {
    .optional(count.flatMap { $0.exact == nil ? "\($0)" : nil }, JSON.text)
  }

  /// Returns the ratio of a part to a whole, from 0 to 1; null if one of them is unknown.
  static func share(_ part: LargeCount?, of whole: LargeCount?) -> JSON {
    guard let part, let whole else { return .null }
    return .number("\(part.share(of: whole))")
  }

  static func texts(_ texts: some Sequence<String>) -> JSON { .list(texts.map(JSON.text)) }

  /// Returns a time in nanoseconds, the unit in all documents of this package.
  static func time(_ duration: Duration) -> JSON {
    let nanoseconds = duration.attoseconds / 1_000_000_000
    return .number("\(nanoseconds)")
  }

  static func optional<Value>(_ value: Value?, _ json: (Value) -> JSON) -> JSON {
    value.map(json) ?? .null
  }

  /// The value as a document, with one line per entry of the outermost two levels.
  var document: String {
    var text = ""
    write(to: &text, indent: 0)
    return text + "\n"
  }

  private func write(to text: inout String, indent: Int) {
    switch self {
    case .text(let string): Self.write(string, to: &text)
    case .number(let number): text += number
    case .truth(let value): text += value ? "true" : "false"
    case .null: text += "null"
    case .list(let values):
      Self.write(values, "[", "]", indent, to: &text) { value, text in
        value.write(to: &text, indent: indent + 1)
      }
    case .object(let members):
      Self.write(Array(members), "{", "}", indent, to: &text) { member, text in
        Self.write(member.key, to: &text)
        text += ": "
        member.value.write(to: &text, indent: indent + 1)
      }
    }
  }

  private static let mostLines = 2

  private static func write<Element>(
    _ elements: [Element], _ open: String, _ close: String, _ indent: Int, to text: inout String,
    _ write: (Element, inout String) -> Void
  ) {
    let isInLines = indent < mostLines && !elements.isEmpty
    let line = "\n" + String(repeating: "  ", count: indent)
    text += open
    for (place, element) in elements.enumerated() {
      if place > 0 { text += isInLines ? "," : ", " }
      if isInLines { text += line + "  " }
      write(element, &text)
    }
    if isInLines { text += line }
    text += close
  }

  /// Writes a string with its invisible characters escaped by number, because a document may be
  /// shown in a terminal.
  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case let scalar where scalar.isInvisible:
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
