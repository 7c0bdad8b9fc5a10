import Pebbles

/// Validation of the arguments that callers pass to a scheduler.
extension RunStorage {
  func has(_ pebble: Int) -> Bool { pebble >= 0 && pebble < pond.network.pebbleCount }

  func isGiven(_ pebble: Int) -> Bool {
    has(pebble) && pond.properties.pebbles[UInt32(pebble)]?.isGiven == true
  }

  /// Returns the cases that hold for a pebble, as a set.
  ///
  /// - Parameters:
  ///   - cases: The cases that hold, as given by the caller of the scheduler.
  ///   - pebble: The pebble.
  ///   - succeeded: Whether the pebble has succeeded.
  ///   - happening: The event, worded to follow the pebble's name in the error: `"was settled"`.
  /// - Returns: The set; empty if the pebble has no cases.
  /// - Throws: `SchedulerError` if `cases` is impossible, or if it is `nil` although the pebble has
  ///   cases.
  func places(
    of cases: [PebbleCase]?, of pebble: Int, succeeded: Bool, _ happening: String
  ) throws(SchedulerError) -> CaseSet {
    let known = pond.graph.cases[pebble] ?? CaseList()
    guard let cases else {
      if known.cases.isEmpty { return CaseSet() }
      throw .impossible(pebble, of: self, "\(happening) without its cases, on which others depend")
    }
    do {
      return try known.set(of: cases, succeeded: succeeded)
    } catch {
      throw .impossible(pebble, of: self, "\(happening) \(error.clause)")
    }
  }
}
