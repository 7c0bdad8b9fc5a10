/// A large number of people, in columns: about 16 bytes each, with every word of a name stored only
/// once.
///
/// They are numbered by name, ignoring case and accents.
public struct People: Sendable {
  /// Every word of a name, in the order of names.
  let vocabulary: [String]

  /// The index of the first word of each person; one entry more than there are people.
  let wordStarts: [UInt32]

  /// The words of all names, as indices into the vocabulary.
  let words: [UInt32]

  /// The raw values of blood types, by person.
  let bloodTypes: [UInt8]

  /// The shoe sizes in halves, by person.
  let shoeSizes: [UInt8]

  /// All numbers in the order of names.
  let byName: [UInt32]

  /// All numbers in the order of shoe sizes, and then of names.
  let bySize: [UInt32]

  /// The index for finding words of the vocabulary.
  let index: PrefixIndex

  /// The number of people.
  public var count: Int { bloodTypes.count }

  /// Returns the person with a number.
  ///
  /// - Parameter number: The number, from 0 up to, but not including, ``count``.
  public subscript(number: Int) -> Person {
    guard let bloodType = BloodType(rawValue: bloodTypes[number]) else {
      preconditionFailure("person \(number) has a blood type that does not exist")
    }
    return Person(
      number: number, name: name(of: number), bloodType: bloodType,
      shoeSize: ShoeSize(halves: shoeSizes[number]))
  }

  /// Returns all numbers in an order.
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
