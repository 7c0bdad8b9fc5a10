/// What is wrong with the conditions and inputs of a pond: those that mention a pebble of another
/// pond.
struct MentionFaults {
  /// Each mention once, in the order in which they are found.
  private(set) var faults: [PondError.Fault] = []
  private var known: Set<PondError.Fault> = []

  /// Takes note of a pebble of another pond, and of the name of the pebble that mentions it.
  mutating func note(_ mentioned: PebbleReference, mentionedBy pebble: String) {
    let fault = PondError.Fault.foreignPebble(
      mentioned.name, ofPond: mentioned.definition.pondName, mentionedBy: pebble)
    note(fault)
  }

  /// Takes note of a case that was added to another pond, of which this one is a copy.
  mutating func note(caseOf mentioned: PebbleReference, mentionedBy pebble: String) {
    note(
      .invalidOption(
        pebble: pebble,
        problem: "mentions a case of \(mentioned.name.truncated(to: 60).swiftLiteral) that was "
          + "added after the pond was copied; add it before"))
  }

  private mutating func note(_ fault: PondError.Fault) {
    if known.insert(fault).inserted { faults.append(fault) }
  }
}
