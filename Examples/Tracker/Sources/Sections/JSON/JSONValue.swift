/// A JSON document or a part of one, for code that searches the document.
public enum JSONValue: Sendable, Hashable {
  /// An explicit null.
  case null

  /// True or false.
  case boolean(Bool)

  /// Any number.
  case number(Double)

  /// A string.
  case string(String)

  /// A list.
  case array([JSONValue])

  /// The members of an object, keyed by name.
  case object([String: JSONValue])

  /// The string; `nil` for other values.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The number; `nil` for other values.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// Returns the member with the given key; `nil` if the value has no such member.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// Returns the value at a key path; `nil` if the key path leads to no value.
  public subscript(at path: JSONKeyPath) -> JSONValue? {
    path.keys.reduce(JSONValue?.some(self)) { value, key in value?[key] }
  }
}

extension JSONValue: Decodable {
  /// Decodes any JSON value.
  ///
  /// - Throws: `DecodingError` if the data is not JSON, or a number does not fit into a `Double`.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }
}
