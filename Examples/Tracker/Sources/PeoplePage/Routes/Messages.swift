import People

/// What a page asks, as it comes.
struct SearchMessage: Decodable {
  let visitor: String
  let revision: Int
  let name: String?
  let bloodTypes: [String]?
  let from: Double?
  let to: Double?
  let order: String?

  /// - Throws: A refusal with a sentence if it cannot be asked.
  func question() throws -> Question {
    var question = Question(
      name: try NameFilter(name ?? ""), shoeSizes: try ShoeSizeFilter(from: from, to: to))
    if let bloodTypes { question.bloodTypes = try BloodTypeFilter(names: bloodTypes) }
    if let order {
      guard let known = ListOrder(rawValue: order) else {
        let orders = ListOrder.allCases.map(\.rawValue).joined(separator: " or ")
        throw Refusal(.badRequest, "People are ordered by \(orders); choose one of these.")
      }
      question.order = known
    }
    return question
  }
}

/// A wish to have somebody chosen.
struct ChoiceMessage: Decodable {
  let visitor: String
  let revision: Int
  let seed: UInt32?
}

/// How many there are, and the first of them.
struct SearchAnswer: Codable {
  let revision: Int
  let total: Int
  let everybody: Int
  let rows: [Row]
}

/// Some of a list.
struct RowsAnswer: Codable {
  let revision: Int
  let from: Int
  let rows: [Row]
}

/// Somebody who was chosen.
struct ChoiceAnswer: Codable {
  let revision: Int
  let seed: UInt32
  let place: Int
  let person: Row
}

/// A person as a page gets it.
struct Row: Codable, Equatable {
  let number: Int
  let name: String
  let bloodType: String
  let shoeSize: Double

  init(_ person: Person) {
    number = person.number
    name = person.name
    bloodType = person.bloodType.name
    shoeSize = person.shoeSize.number
  }
}
