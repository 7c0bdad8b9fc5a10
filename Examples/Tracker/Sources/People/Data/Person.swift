/// A person in ``People``.
public struct Person: Sendable, Hashable {
  /// The zero-based number of the person; people are numbered by name.
  public let number: Int

  /// The words of the name, separated by spaces.
  public let name: String

  /// The blood type.
  public let bloodType: BloodType

  /// The shoe size.
  public let shoeSize: ShoeSize

  /// Creates a person.
  ///
  /// - Parameters:
  ///   - number: The number of the person.
  ///   - name: The words of the name, separated by spaces.
  ///   - bloodType: The blood type.
  ///   - shoeSize: The shoe size.
  public init(number: Int, name: String, bloodType: BloodType, shoeSize: ShoeSize) {
    self.number = number
    self.name = name
    self.bloodType = bloodType
    self.shoeSize = shoeSize
  }
}
