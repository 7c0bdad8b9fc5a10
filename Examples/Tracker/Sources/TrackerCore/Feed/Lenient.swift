/// A value that is decoded as `nil` if the data has a different type.
struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
  let value: Value?

  init(from decoder: any Decoder) throws {
    value = try? decoder.singleValueContainer().decode(Value.self)
  }
}

/// The first values of a list, without elements of other types; empty if the data is not a list.
struct LenientList<Value: Decodable & Sendable>: Decodable, Sendable {
  let values: [Value]

  /// The maximum number of values. A launch never has more first stages or failures than this.
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
