/// Many people, in columns: about 16 bytes each, and every word of a name only once.
///
/// They are numbered by name, as it is written, without regard to case and accents.
public struct People: Sendable {
  /// Every word that stands in a name, in the order of names.
  let vocabulary: [String]

  /// Where the words of a person begin; one more than there are people.
  let wordStarts: [UInt32]

  /// The words of all names, as places in the vocabulary.
  let words: [UInt32]

  /// The raw values of blood types, by person.
  let bloodTypes: [UInt8]

  /// Shoe sizes in halves, by person.
  let shoeSizes: [UInt8]

  /// Everybody by name, which is by number.
  let byName: [UInt32]

  /// Everybody by shoe size, and those of one size by name.
  let bySize: [UInt32]

  /// What the words of the vocabulary are found by.
  let index: PrefixIndex

  /// How many there are.
  public var count: Int { bloodTypes.count }

  /// One of them, written out.
  ///
  /// - Parameter number: From 0 to less than ``count``.
  public subscript(number: Int) -> Person {
    guard let bloodType = BloodType(rawValue: bloodTypes[number]) else {
      preconditionFailure("person \(number) has a blood type that there is not")
    }
    return Person(
      number: number, name: name(of: number), bloodType: bloodType,
      shoeSize: ShoeSize(halves: shoeSizes[number]))
  }

  /// Everybody, in an order.
  func numbers(in order: ListOrder) -> [UInt32] {
    switch order {
    case .name: byName
    case .size: bySize
    }
  }

  private func name(of number: Int) -> String {
    words[Int(wordStarts[number])..<Int(wordStarts[number + 1])]
      .map { vocabulary[Int($0)] }.joined(separator: " ")
  }
}
