/// A filter for blood types.
public struct BloodTypeFilter: Leaf {
  /// The filter that matches all blood types.
  public static let all = BloodTypeFilter(Set(BloodType.allCases))

  /// The blood types that match.
  public let types: Set<BloodType>

  /// Creates a filter.
  ///
  /// - Parameter types: The blood types that match; an empty set matches nobody.
  public init(_ types: Set<BloodType>) { self.types = types }

  /// Creates a filter from names of blood types.
  ///
  /// - Parameter names: The names, such as `O+` and `AB-`, in any order. Duplicates are ignored.
  /// - Throws: ``FilterError`` if a name is not a blood type.
  public init(names: [String]) throws {
    types = Set(
      try names.map { name in
        guard let type = BloodType(name: name) else {
          throw FilterError(
            description: """
              “\(name.excerpt)” is not a blood type; there are \
              \(BloodType.allCases.map(\.name).joined(separator: ", ")).
              """)
        }
        return type
      })
  }

  var matchesEverybody: Bool { types.count == BloodType.allCases.count }

  func matches(in people: People) throws -> PersonSet {
    let mask = types.reduce(UInt8(0)) { $0 | 1 << $1.rawValue }
    return try people.bloodTypes.withUnsafeBufferPointer { bloodTypes in
      try PersonSet(of: people.count) { person in mask >> bloodTypes[person] & 1 == 1 }
    }
  }
}
