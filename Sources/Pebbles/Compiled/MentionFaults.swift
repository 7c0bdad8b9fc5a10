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
    if known.insert(fault).inserted { faults.append(fault) }
  }
}
