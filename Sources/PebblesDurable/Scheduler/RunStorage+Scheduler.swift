import Pebbles

/// What a scheduler asks before it believes what it is told.
extension RunStorage {
  func has(_ pebble: Int) -> Bool { pebble >= 0 && pebble < pond.network.pebbleCount }

  func isGiven(_ pebble: Int) -> Bool {
    has(pebble) && pond.properties.pebbles[UInt32(pebble)]?.isGiven == true
  }

  /// The places of the cases that are said to hold.
  ///
  /// - Parameters:
  ///   - cases: What was said.
  ///   - pebble: Of which pebble.
  ///   - succeeded: How it has ended.
  ///   - happening: What happened to it, for the error.
  /// - Returns: The places.
  /// - Throws: `SchedulerError` if nothing was said of a pebble that has cases, or what cannot be.
  func places(
    of cases: [PebbleCase]?, of pebble: Int, succeeded: Bool, _ happening: String
  ) throws(SchedulerError) -> CaseSet {
    let known = pond.graph.cases[pebble] ?? CaseList()
    guard let cases else {
      if known.cases.isEmpty { return CaseSet() }
      throw .impossible(pebble, of: self, "\(happening) without its cases, which decide others")
    }
    do {
      return try known.set(of: cases, succeeded: succeeded)
    } catch {
      throw .impossible(pebble, of: self, "\(happening) \(error.clause)")
    }
  }
}
