@testable import People

extension People {
  /// As many as tests in a debug build have time for.
  static let some = fixture { try People(generating: 3_000, seed: 7) }

  /// So many that no browser would make an element that high.
  static let many = fixture { try People(generating: 120_000, seed: 7) }
}

extension VisitorID {
  static let ann = fixture { try VisitorID("visitor-ann") }
  static let bob = fixture { try VisitorID("visitor-bob") }
}

extension Question {
  /// Names with beginnings of words.
  static func named(_ text: String) -> Question {
    Question(name: fixture { try NameFilter(text) })
  }
}

/// What tests take for granted.
private func fixture<Value>(_ make: () throws -> Value) -> Value {
  do {
    return try make()
  } catch {
    preconditionFailure("\(error)")
  }
}
