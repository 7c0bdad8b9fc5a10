/// The transitions for the runs inside this run, and for this run's relation to its enclosing run.
/// `InnerRuns` states the rules.
extension RunLife {
  /// Records that another run starts inside an attempt of this run.
  ///
  /// - Returns: The number of the inner run; `nil` if the attempt accepts no more runs. In that
  ///   case, the inner run must be shut down immediately.
  mutating func innerRunStarted(_ run: RunCore, in owner: RunOwner) -> Int? {
    guard let number = inner.add(run, of: owner) else { return nil }
    self.run.innerRunStarted()
    return number
  }

  /// Removes an inner run from the attempt to which it belongs.
  ///
  /// - Returns: The entry of the run, which must be released outside of the lock.
  mutating func innerRunEnded(_ number: Int, of pebble: Int) -> InnerRuns.Entry? {
    run.innerRunEnded()
    return inner.remove(number, of: pebble)
  }

  /// Records that the run leaves the attempt to which it belongs. A run that still has something to
  /// shut down leaves the attempt only if `evenIfUp` is `true`.
  ///
  /// - Returns: The attempt, and the number of the run in the attempt; `nil` if the run does not
  ///   leave its attempt or belongs to no attempt.
  mutating func ownerLeft(evenIfUp: Bool) -> (owner: RunOwner, number: Int)? {
    guard evenIfUp || !run.isAnythingUp else { return nil }
    defer { placeAtOwner = nil }
    return placeAtOwner
  }
}
