extension People {
  /// Generates fictional people. The same count and seed always produce the same people.
  ///
  /// Blood types are about as frequent as in Europe, shoe sizes are adult sizes, and one person in
  /// fifty has a name that does not fit on a line.
  ///
  /// - Parameters:
  ///   - count: The number of people; 0 or more.
  ///   - seed: The seed.
  /// - Throws: `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n* log *n*), where *n* is the number of people.
  public init(generating count: Int, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var builder = PeopleBuilder()
    for _ in 0..<count {
      try builder.add(
        name: Self.name(&random), Self.bloodType(&random), Self.shoeSize(&random))
    }
    self = try builder.people()
  }

  private static func name(_ random: inout SplitMix64) -> [String] {
    var name = [NameLists.given.randomElement(&random)]
    switch random.next(below: 50) {
    case 0:
      for _ in 0..<3 + random.next(below: 6) { name.append(NameLists.given.randomElement(&random)) }
      name.append(NameLists.particles.randomElement(&random))
      name.append(familyName(&random))
      name.append(NameLists.particles.randomElement(&random))
    case 1..<10: name.append(NameLists.given.randomElement(&random))
    default: break
    }
    name.append(familyName(&random))
    return name
  }

  private static func familyName(_ random: inout SplitMix64) -> String {
    guard random.next(below: 2) == 0 else { return NameLists.family.randomElement(&random) }
    return NameLists.beginnings.randomElement(&random) + NameLists.ends.randomElement(&random)
  }

  private static func bloodType(_ random: inout SplitMix64) -> BloodType {
    let shares: [(BloodType, Int)] = [
      (.oPositive, 37), (.aPositive, 36), (.bPositive, 9), (.abPositive, 3), (.oNegative, 6),
      (.aNegative, 6), (.bNegative, 2), (.abNegative, 1),
    ]
    var rest = random.next(below: 100)
    for (type, share) in shares {
      guard rest >= share else { return type }
      rest -= share
    }
    preconditionFailure("the shares of blood types do not add up to 100")
  }

  /// Returns a random size from 35 to 49. The middle sizes are the most frequent.
  private static func shoeSize(_ random: inout SplitMix64) -> ShoeSize {
    let halves = 70 + (0..<4).reduce(0) { sum, _ in sum + random.next(below: 8) }
    return ShoeSize(halves: UInt8(halves))
  }
}

extension Array {
  /// Returns a random element. The array must not be empty.
  fileprivate func randomElement(_ random: inout SplitMix64) -> Element {
    self[random.next(below: count)]
  }
}
