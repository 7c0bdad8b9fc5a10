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

  /// The error for a document that contains a predicate, which is a condition on an output.
  /// Predicates were removed before the first release.
  var predicateRefusal: JSONError {
    fault("predicates are no longer read: a condition over outputs needs a pebble of its own")
  }
}
