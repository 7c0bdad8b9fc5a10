import Pebbles

/// A line of a journal. It contains a checksum of the rest of the line, the line number, and an
/// entry as JSON. In some lines, a tab and a payload follow. The payload is an encoded output, or
/// the reason for a cancellation or a shutdown.
///
/// ```
/// 5a07c2e1 17 {"entry": "ended", "pebble": "loadCores", …}⇥[{"id":1}]
/// ```
///
/// Neither the entry nor the payload has a line break or a tab: JSON escapes both, and Base64 uses
/// neither. A damaged line does not match its checksum. If a line is missing, moved or repeated,
/// the numbers do not match.
struct JournalLine {
  let number: Int
  let entry: ArraySlice<UInt8>
  let payload: ArraySlice<UInt8>?

  /// Creates a line from its bytes, which do not include the line break. Returns `nil` if the line
  /// is damaged.
  init?(_ line: ArraySlice<UInt8>) {
    let start = line.startIndex + Checksum.textLength
    guard start < line.endIndex, line[start] == Self.space else { return nil }
    let rest = line[(start + 1)...]
    guard line[..<start].elementsEqual(Checksum.text(of: rest)),
      let end = rest.firstIndex(of: Self.space),
      let number = Int(String(decoding: rest[..<end], as: UTF8.self))
    else { return nil }
    self.number = number
    let tab = rest.firstIndex(of: Self.tab)
    entry = rest[(end + 1)..<(tab ?? rest.endIndex)]
    payload = tab.map { rest[($0 + 1)...] }
  }

  /// Returns whether the line with the given number could begin with these bytes. The result is
  /// `false` if the bytes contain a line break.
  static func mayBegin(_ text: ArraySlice<UInt8>, number: Int) -> Bool {
    let rest = text.dropFirst(Checksum.textLength)
    let expected = Array(" \(number) {".utf8)
    return text.prefix(Checksum.textLength).allSatisfy(Checksum.digits.contains)
      && rest.starts(with: expected.prefix(rest.count))
      && !text.contains(JournalHeader.lineBreak)
  }

  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")

  /// Appends a line, with its checksum and its line break, to `lines`.
  static func append(
    _ number: Int, _ entry: [UInt8], _ payload: [UInt8]? = nil, to lines: inout [UInt8]
  ) {
    var rest = Array("\(number) ".utf8)
    rest += entry
    if let payload {
      rest.append(tab)
      rest += payload
    }
    lines += Checksum.text(of: rest)
    lines.append(space)
    lines += rest
    lines.append(UInt8(ascii: "\n"))
  }
}
