/// The words for a set of outcomes.
extension OutcomeSet {
  /// Returns the Swift source of the atom that accepts these outcomes, given the source of the
  /// pebble. If there is no such atom, returns a `!` and the atom of the complement.
  package func atom(of pebble: String) -> String {
    let (atom, isNegated, _) = words
    return "\(isNegated ? "!" : "")\(pebble).\(atom)"
  }

  /// The caption of an edge that waits for these outcomes; `nil` for success.
  var caption: String? {
    if self == .succeeded { return nil }
    let (atom, isNegated, _) = words
    return isEmpty ? "never" : isNegated ? "not \(atom)" : atom
  }

  /// The outcomes of the set, worded to follow "to": *succeed*, *fail or be skipped*.
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
