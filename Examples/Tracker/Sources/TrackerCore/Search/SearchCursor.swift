import Foundation

/// The last launch of a page, by what launches are ordered by: where the next page goes on.
///
/// What it holds belongs to that launch and to the query alone, so launches that are inserted
/// meanwhile neither repeat nor leave out others. To callers it is a text without a meaning; one
/// that was made up leads nowhere but to another place in the list.
struct SearchCursor: Sendable, Hashable {
  /// How well the launch fits the query.
  let score: Int

  /// In Unix seconds.
  let date: Int64

  /// Tells it from others of the same date.
  let key: Int64

  private static let version: UInt8 = 1
  private static let byteCount = 27
  private static let textLength = 36

  init(score: Int, date: Int64, key: Int64) {
    self.score = score
    self.date = date
    self.key = key
  }

  /// Reads a cursor.
  ///
  /// - Throws: ``SearchRefusal`` if it is none, or one of another query.
  init(_ text: String, for query: SearchQuery) throws(SearchRefusal) {
    guard text.utf8.count == Self.textLength, let bytes = Self.bytes(of: text),
      bytes.count == Self.byteCount, bytes[0] == Self.version
    else { throw .unknownCursor }
    guard Self.number(bytes[1..<9]) == query.fingerprint else { throw .cursorOfAnotherQuery }
    score = Int(Self.number(bytes[9..<11]))
    date = Int64(bitPattern: Self.number(bytes[11..<19]))
    key = Int64(bitPattern: Self.number(bytes[19..<27]))
  }

  /// The cursor as text that needs no escaping in an address.
  func text(for query: SearchQuery) -> String {
    var bytes = [Self.version]
    bytes += Self.bytes(query.fingerprint, count: 8)
    bytes += Self.bytes(UInt64(clamping: score), count: 2)
    bytes += Self.bytes(UInt64(bitPattern: date), count: 8)
    bytes += Self.bytes(UInt64(bitPattern: key), count: 8)
    return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  private static func bytes(of text: String) -> [UInt8]? {
    // The alphabet of addresses alone: of two texts for one cursor, one would be wrong.
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
