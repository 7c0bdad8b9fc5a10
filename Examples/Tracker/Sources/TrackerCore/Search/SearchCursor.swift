import Foundation

/// The sort key of the last launch of a page, after which the next page begins.
///
/// The key depends only on that launch and the query, so inserting launches does not make pages
/// repeat or skip others. For clients, a cursor is an opaque string. A forged cursor merely leads
/// to another place in the list.
struct SearchCursor: Sendable, Hashable {
  /// The launch's score for the query.
  let score: Int

  /// The date of the launch, in Unix seconds.
  let date: Int64

  /// The key of the launch, unique among launches with the same date.
  let key: Int64

  private static let version: UInt8 = 1
  private static let byteCount = 27
  private static let textLength = 36

  init(score: Int, date: Int64, key: Int64) {
    self.score = score
    self.date = date
    self.key = key
  }

  /// Parses a cursor.
  ///
  /// - Throws: ``SearchRefusal`` if the string is not a cursor, or belongs to another query.
  init(_ text: String, for query: SearchQuery) throws(SearchRefusal) {
    guard text.utf8.count == Self.textLength, let bytes = Self.bytes(of: text),
      bytes.count == Self.byteCount, bytes[0] == Self.version
    else { throw .unknownCursor }
    guard Self.number(bytes[1..<9]) == query.fingerprint else { throw .cursorOfAnotherQuery }
    score = Int(Self.number(bytes[9..<11]))
    date = Int64(bitPattern: Self.number(bytes[11..<19]))
    key = Int64(bitPattern: Self.number(bytes[19..<27]))
  }

  /// Returns the cursor as a string that needs no escaping in a URL.
  func text(for query: SearchQuery) -> String {
    var bytes = [Self.version]
    bytes += Self.bytes(query.fingerprint, count: 8)
    bytes += Self.bytes(UInt64(clamping: score), count: 2)
    bytes += Self.bytes(UInt64(bitPattern: date), count: 8)
    bytes += Self.bytes(UInt64(bitPattern: key), count: 8)
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  private static func bytes(of text: String) -> [UInt8]? {
    // Only the URL-safe alphabet is accepted, so that each cursor has a single text.
    guard !text.contains(where: { $0 == "+" || $0 == "/" }) else { return nil }
    let standard = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: standard).map { [UInt8]($0) }
  }

  private static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
