/// One of ``People``, written out.
public struct Person: Sendable, Hashable {
  /// Which one it is: people are numbered by name, from 0.
  public let number: Int

  /// The words of the name, between blanks.
  public let name: String

  /// The blood type.
  public let bloodType: BloodType

  /// The shoe size.
  public let shoeSize: ShoeSize

  /// - Parameters:
  ///   - number: Which one it is.
  ///   - name: The words of the name, between blanks.
  ///   - bloodType: The blood type.
  ///   - shoeSize: The shoe size.
  public init(number: Int, name: String, bloodType: BloodType, shoeSize: ShoeSize) {
    self.number = number
    self.name = name
    self.bloodType = bloodType
    self.shoeSize = shoeSize
  }
}
