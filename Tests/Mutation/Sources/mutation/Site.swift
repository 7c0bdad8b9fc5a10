/// A place in a source where a mutant can be made.
struct Site: Sendable {
  /// A replacement in the source. In its text, `Site.number` stands for the number of the mutant.
  struct Edit: Sendable {
    let range: Range<Int>
    let text: String
  }

  /// Where the number of the mutant belongs in the text of an edit.
  static let number = "\u{1}"

  let kind: MutantKind

  /// The type and the function around it, as `Runner.work()`.
  let function: String
  let functionRange: Range<Int>

  /// The bytes that the mutant changes.
  let range: Range<Int>
  let before: String
  let after: String

  /// In the order of their places.
  let edits: [Edit]

  /// Whether it is likely to change nothing that anybody can see.
  var isIdle = false

  /// Whether it is the same change as that of the operator in this place.
  var isPlainNegation = false

  /// Whether other mutants may be inside of it: it only puts something around the code.
  var surrounds: Bool { edits.allSatisfy(\.range.isEmpty) }
}
