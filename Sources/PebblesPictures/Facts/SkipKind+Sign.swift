import Pebbles

extension SkipKind {
  /// The sign of a skip: one for those that matter, one for the others.
  package var sign: String { self == .blocked ? "⊘" : "○" }
}
