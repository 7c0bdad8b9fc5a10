/// What a set is called.
extension OutcomeSet {
  /// The atom that accepts these outcomes, as Swift source, given what stands for the pebble. A set
  /// that has no atom of its own has that of its complement, behind a `!`.
  package func atom(of pebble: String) -> String {
    let (atom, isNegated, _) = words
    return "\(isNegated ? "!" : "")\(pebble).\(atom)"
  }

  /// What is written at a line that waits for these outcomes; nothing for the ordinary one.
  var caption: String? {
    if self == .succeeded { return nil }
    let (atom, isNegated, _) = words
    return isEmpty ? "never" : isNegated ? "not \(atom)" : atom
  }

  /// The set as what a pebble is needed to do: "to …".
  package var infinitive: String { words.infinitive }

  private var words: (atom: String, isNegated: Bool, infinitive: String) {
    switch self {
    case .succeeded: ("succeeded", false, "succeed")
    case .failed: ("failed", false, "fail")
    case .skipped: ("skipped", false, "be skipped")
    case .completed: ("completed", false, "complete")
    case .settled: ("settled", false, "settle")
    case OutcomeSet.succeeded.complement: ("succeeded", true, "fail or be skipped")
    case OutcomeSet.failed.complement: ("failed", true, "succeed or be skipped")
    default: ("settled", true, "never settle")
    }
  }
}
