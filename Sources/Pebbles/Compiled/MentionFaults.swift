/// The faulty mentions in a pond's conditions, inputs and goal: mentions of other ponds' pebbles,
/// and of cases that were added after the pond was copied.
struct MentionFaults {
  /// The faults in the order in which they were found, without duplicates.
  private(set) var faults: [PondError.Fault] = []
  private var known: Set<PondError.Fault> = []

  /// Records that a pebble or the goal mentions a pebble of another pond.
  ///
  /// - Parameters:
  ///   - mentioned: The pebble of the other pond.
  ///   - pebble: The name of the pebble that mentions `mentioned`; `nil` if the goal does.
  mutating func note(_ mentioned: PebbleReference, mentionedBy pebble: String?) {
    guard let pebble else {
      return noteGoal(
        "mentions \(mentioned.name.shortLiteral), which belongs to the pond "
          + "\(mentioned.definition.pondName.shortLiteral); it can only be about "
          + "pebbles of its own pond")
    }
    let fault = PondError.Fault.foreignPebble(
      mentioned.name, ofPond: mentioned.definition.pondName, mentionedBy: pebble)
    note(fault)
  }

  /// Records that a pebble or the goal mentions a case that was added after the pond was copied.
  ///
  /// - Parameters:
  ///   - mentioned: The pebble that has the case.
  ///   - pebble: The name of the pebble that mentions the case; `nil` if the goal does.
  mutating func note(caseOf mentioned: PebbleReference, mentionedBy pebble: String?) {
    let problem =
      "mentions a case of \(mentioned.name.shortLiteral) that was added after the pond was copied; "
      + "add it before"
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
