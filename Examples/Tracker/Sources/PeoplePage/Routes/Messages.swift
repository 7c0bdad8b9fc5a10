import People

/// A question as sent by a page.
struct SearchMessage: Decodable {
  let visitor: String
  let revision: Int
  let name: String?
  let bloodTypes: [String]?
  let from: Double?
  let to: Double?
  let order: String?

  /// Returns the question.
  ///
  /// - Throws: `Refusal` or `FilterError`, with a sentence for the visitor, if the question is
  ///   invalid.
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

/// A request to choose a person.
struct ChoiceMessage: Decodable {
  let visitor: String
  let revision: Int
  let seed: UInt32?
}

/// The answer to a search, with the number of matches and the first of them.
struct SearchAnswer: Codable {
  let revision: Int
  let total: Int
  let everybody: Int
  let rows: [Row]
}

/// The answer to a request for rows of a list.
struct RowsAnswer: Codable {
  let revision: Int
  let from: Int
  let rows: [Row]
}

/// The answer to a request to choose a person.
struct ChoiceAnswer: Codable {
  let revision: Int
  let seed: UInt32
  let place: Int
  let person: Row
}

/// A person as sent to a page.
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
