import Pebbles

extension JSONValue {
  /// Reads the outcome of a pebble.
  func event() throws(JSONError) -> Event {
    let word = try string()
    guard let event = Event.allCases.first(where: { $0.word == word }) else {
      throw fault("there should be \"succeeded\", \"failed\" or \"skipped\" here")
    }
    return event
  }

  /// The error for a predicate, a kind of condition on outputs that was supported only before the
  /// first release.
  var predicateRefusal: JSONError {
    fault("predicates are no longer read: a condition over outputs needs a pebble of its own")
  }
}
