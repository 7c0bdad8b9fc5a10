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

  /// Returns a count as a number; null if the count is unknown or inexact. A count is inexact if it
  /// is at least 2¹²⁸.
  static func count(_ count: LargeCount?) -> JSON {
    .optional(count?.exact) { .number($0) }
  }

  /// Returns an inexact count in words; null if the count is exact or unknown.
  static func about(_ count: LargeCount?) -> JSON {
    .optional(count.flatMap { $0.exact == nil ? "\($0)" : nil }, JSON.text)
  }

  /// Returns the ratio of a part to a whole, from 0 to 1; null if the part or the whole is unknown.
  static func share(_ part: LargeCount?, of whole: LargeCount?) -> JSON {
    guard let part, let whole else { return .null }
    return .number("\(part.share(of: whole))")
  }

  static func texts(_ texts: some Sequence<String>) -> JSON { .list(texts.map(JSON.text)) }

  /// Returns a time in nanoseconds, the unit used in all of this package's documents.
  static func time(_ duration: Duration) -> JSON {
    .number(duration.attoseconds / 1_000_000_000)
  }

  static func optional<Value>(_ value: Value?, _ json: (Value) -> JSON) -> JSON {
    value.map(json) ?? .null
  }
}

extension JSON: JSONWritable {
  /// The number of outer nesting levels whose entries are each written on a separate line.
  private static let levelsInLines = 2

  func write(to writer: inout JSONWriter) {
    let isInLines = writer.depth < Self.levelsInLines
    switch self {
    case .text(let text): writer.value(text)
    case .number(let number): writer.value(number: number)
    case .truth(let value): writer.value(value)
    case .null: writer.null()
    case .list(let values):
      writer.list(inLines: isInLines) { writer in
        for value in values { value.write(to: &writer) }
      }
    case .object(let members):
      writer.object(inLines: isInLines) { writer in
        for (key, value) in members { writer.member(key, value) }
      }
    }
  }
}
