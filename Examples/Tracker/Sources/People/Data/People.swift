/// A large number of people, stored in columns. Each person takes about 23 bytes, because every
/// word of a name is stored only once.
///
/// The people are numbered in the order of their names, ignoring case and accents.
public struct People: Sendable {
  /// All distinct words that occur in names, sorted like names.
  let vocabulary: [String]

  /// The index in `words` of the first word of each person's name, followed by the count of
  /// `words`.
  let wordStarts: [UInt32]

  /// The words of all names, one name after another, as indices into the vocabulary.
  let words: [UInt32]

  /// The raw value of each person's blood type.
  let bloodTypes: [UInt8]

  /// Each person's shoe size, in half sizes.
  let shoeSizes: [UInt8]

  /// The numbers of all people, sorted by name.
  let byName: [UInt32]

  /// The numbers of all people, sorted by shoe size and then by name.
  let bySize: [UInt32]

  /// An index that finds words of the vocabulary by their prefixes.
  let index: PrefixIndex

  /// The number of people.
  public var count: Int { bloodTypes.count }

  /// Returns the person with the given number.
  ///
  /// - Parameter number: The number, from 0 up to but not including ``count``.
  public subscript(number: Int) -> Person {
    guard let bloodType = BloodType(rawValue: bloodTypes[number]) else {
      preconditionFailure("person \(number) has a blood type that does not exist")
    }
    return Person(
      number: number, name: name(of: number), bloodType: bloodType,
      shoeSize: ShoeSize(halves: shoeSizes[number]))
  }

  /// Returns the numbers of all people in the given order.
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
