/// A place in a source where a mutant can be made.
struct Site: Sendable {
  /// A replacement in the source. In its text, `Site.number` is a placeholder for the number of the
  /// mutant.
  struct Edit: Sendable {
    let range: Range<Int>
    let text: String
  }

  /// The placeholder for the number of the mutant in the text of an edit.
  static let number = "\u{1}"

  let kind: MutantKind

  /// The names of the type and the function around the place, such as `Runner.work()`.
  let function: String
  let functionRange: Range<Int>

  /// The range of bytes that the mutant changes.
  let range: Range<Int>
  let before: String
  let after: String

  /// The edits, in the order of their positions.
  let edits: [Edit]

  /// Whether the mutant is unlikely to change any visible behavior.
  var isIdle = false

  /// Whether the mutant makes the same change as an operator mutant at the same place.
  var isPlainNegation = false

  /// Whether the mutant only inserts text around the code, so that other mutants can be inside it.
  var surrounds: Bool { edits.allSatisfy(\.range.isEmpty) }
}
