/// A JSON document, or a part of one, for code that looks for something in it.
public enum JSONValue: Sendable, Hashable {
  /// Nothing, on purpose.
  case null

  /// True or false.
  case boolean(Bool)

  /// Any number.
  case number(Double)

  /// Text.
  case string(String)

  /// A list.
  case array([JSONValue])

  /// Members by their key.
  case object([String: JSONValue])

  /// The text, if it is one.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The number, if it is one.
  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The member of an object with this key, if there is one.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// What stands at a key path, if there is something.
  public subscript(path: JSONKeyPath) -> JSONValue? {
    path.keys.reduce(JSONValue?.some(self)) { value, key in value?[key] }
  }
}

extension JSONValue: Decodable {
  /// Decodes whatever is there.
  ///
  /// - Throws: `DecodingError` if it is no JSON.
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
