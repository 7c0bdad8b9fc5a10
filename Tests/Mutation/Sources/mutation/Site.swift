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

  /// The names of the type and the function around the site, such as `Runner.work()`.
  let function: String
  let functionRange: Range<Int>

  /// The range of bytes that the mutant changes.
  let range: Range<Int>
  let before: String
  let after: String

  /// The edits in order of position.
  let edits: [Edit]

  /// Whether the mutant is unlikely to have a visible effect.
  var isIdle = false

  /// Whether the change has the same effect as changing the operator at this place.
  var isPlainNegation = false

  /// Whether the mutant only inserts text around the code, so that the code can contain other
  /// mutants.
  var surrounds: Bool { edits.allSatisfy(\.range.isEmpty) }
}
