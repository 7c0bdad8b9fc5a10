/// A blood type in the ABO and Rh systems.
public enum BloodType: UInt8, CaseIterable, Sendable, Hashable {
  case oPositive
  case aPositive
  case bPositive
  case abPositive
  case oNegative
  case aNegative
  case bNegative
  case abNegative

  /// The usual notation, such as `AB+` or `AB-`. The minus sign is an ASCII hyphen.
  public var name: String {
    switch self {
    case .oPositive: "O+"
    case .aPositive: "A+"
    case .bPositive: "B+"
    case .abPositive: "AB+"
    case .oNegative: "O-"
    case .aNegative: "A-"
    case .bNegative: "B-"
    case .abNegative: "AB-"
    }
  }

  /// Creates the blood type with the given name. Returns `nil` if no blood type has that name.
  public init?(name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }
}
