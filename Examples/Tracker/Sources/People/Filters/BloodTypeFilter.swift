/// Some of the blood types.
public struct BloodTypeFilter: Leaf {
  /// All there are.
  public static let all = BloodTypeFilter(Set(BloodType.allCases))

  /// Those that match.
  public let types: Set<BloodType>

  /// - Parameter types: Those that match; nobody has none of them.
  public init(_ types: Set<BloodType>) { self.types = types }

  /// A filter for names of blood types.
  ///
  /// - Parameter names: `O+`, `AB-` and so on, in any order, also twice.
  /// - Throws: ``FilterError`` if one of them is not the name of a blood type.
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
