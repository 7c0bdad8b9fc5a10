/// A visitor's identifier. A visitor is an open page, which chooses its own identifier.
public struct VisitorID: Sendable, Hashable {
  /// The identifier as a string of letters, digits and hyphens.
  public let text: String

  /// Creates an identifier.
  ///
  /// - Parameter text: 8 to 64 letters of the English alphabet, digits and hyphens.
  /// - Throws: ``PeopleError/badVisitor`` for any other string.
  public init(_ text: String) throws(PeopleError) {
    let isPlain = text.utf8.prefix(65).allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isPlain, (8...64).contains(text.utf8.prefix(65).count) else { throw .badVisitor }
    self.text = text
  }
}
