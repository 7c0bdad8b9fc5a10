/// A value, or nothing where there is something else.
struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
  let value: Value?

  init(from decoder: any Decoder) throws {
    value = try? decoder.singleValueContainer().decode(Value.self)
  }
}

/// The first values of a list, without those that are something else; none where there is no list.
struct LenientList<Value: Decodable & Sendable>: Decodable, Sendable {
  let values: [Value]

  /// No launch has more first stages, or went wrong in more ways.
  static var most: Int { 20 }

  init(from decoder: any Decoder) throws {
    var values: [Value] = []
    if var list = try? decoder.unkeyedContainer() {
      while !list.isAtEnd, values.count < Self.most {
        if let value = try list.decode(Lenient<Value>.self).value { values.append(value) }
      }
    }
    self.values = values
  }
}
