@testable import People

extension People {
  /// A list of people that is small enough for tests in a debug build.
  static let some = fixture { try People(generating: 3_000, seed: 7) }

  /// A list of people so long that no browser element can be as high as all its rows.
  static let many = fixture { try People(generating: 120_000, seed: 7) }
}

extension VisitorID {
  static let ann = fixture { try VisitorID("visitor-ann") }
  static let bob = fixture { try VisitorID("visitor-bob") }
}

extension Question {
  /// Returns a question that finds people by prefixes of the words in their names.
  static func named(_ text: String) -> Question {
    Question(name: fixture { try NameFilter(text) })
  }
}

/// Returns a value that tests need, and ends the process if it cannot be created.
private func fixture<Value>(_ make: () throws -> Value) -> Value {
  do {
    return try make()
  } catch {
    preconditionFailure("\(error)")
  }
}
