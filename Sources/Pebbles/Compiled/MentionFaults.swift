/// What is wrong with the conditions and inputs of a pond: those that mention a pebble of another
/// pond.
struct MentionFaults {
  /// Each mention once, in the order in which they are found.
  private(set) var faults: [PondError.Fault] = []
  private var known: Set<PondError.Fault> = []

  /// Takes note of a pebble of another pond, and of the name of the pebble that mentions it; `nil`
  /// for the goal.
  mutating func note(_ mentioned: PebbleReference, mentionedBy pebble: String?) {
    guard let pebble else {
      return noteGoal(
        "mentions \(mentioned.shownName), which belongs to the pond "
          + "\(mentioned.definition.pondName.truncated(to: 60).swiftLiteral); it can only be about "
          + "pebbles of its own pond")
    }
    let fault = PondError.Fault.foreignPebble(
      mentioned.name, ofPond: mentioned.definition.pondName, mentionedBy: pebble)
    note(fault)
  }

  /// Takes note of a case that was added to another pond, of which this one is a copy.
  mutating func note(caseOf mentioned: PebbleReference, mentionedBy pebble: String?) {
    let problem =
      "mentions a case of \(mentioned.shownName) that was added after the pond was copied; add it "
      + "before"
    guard let pebble else { return noteGoal(problem) }
    note(.invalidOption(pebble: pebble, problem: problem))
  }

  private mutating func noteGoal(_ problem: String) {
    note(.invalidPond(problem: "has a goal that \(problem)"))
  }

  private mutating func note(_ fault: PondError.Fault) {
    if known.insert(fault).inserted { faults.append(fault) }
  }
}

extension PebbleReference {
  fileprivate var shownName: String { name.truncated(to: 60).swiftLiteral }
}
