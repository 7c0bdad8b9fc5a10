/// An error that explains why a request about people cannot be answered.
public enum PeopleError: Error, Sendable, Hashable {
  /// The people are still being prepared.
  case preparing

  /// The identifier of the visitor is invalid.
  case badVisitor

  /// The revision of the question is below 0.
  case badRevision

  /// The same visitor has asked a newer question.
  case outdated

  /// The visitor is unknown, or has been forgotten.
  case unknown

  /// The question has not been answered yet.
  case unanswered

  /// The requested page begins before the list, or the number of its rows is invalid.
  case badPage(from: Int, count: Int)

  /// The requested page begins after the end of the list.
  case beyondEnd(from: Int, total: Int)

  /// The list is empty, so nobody can be chosen.
  case nobody

  /// The search itself failed.
  case failed(String)
}

extension PeopleError: CustomStringConvertible {
  /// The error as a sentence for the visitor.
  public var description: String {
    switch self {
    case .preparing: "The people are being prepared; ask again in a moment."
    case .badVisitor:
      "The name of a visitor has 8 to 64 letters, digits and hyphens; make one up."
    case .badRevision: "Questions are numbered from 0; begin there."
    case .outdated: "A newer question came after this one; only that one is answered."
    case .unknown: "This list is not kept any more; ask the question again."
    case .unanswered: "This question has no answer yet; wait for it, or ask again."
    case .badPage(let from, let count):
      """
      A page has 1 to \(PeopleService.mostRows) rows and begins at place 0 or later, not \(count) \
      from \(from) on.
      """
    case .beyondEnd(let from, let total):
      "The list has \(total) people, so none at place \(from); places begin at 0."
    case .nobody: "Nobody is left to choose from; loosen a filter."
    case .failed(let reason): "The search failed: \(reason). Try again."
    }
  }
}
