/// What happens to the runs inside of a run, and to this one as one of those.
extension RunLife {
  /// A run starts inside of an attempt of this one.
  ///
  /// - Returns: Its number; `nil` if it comes too late, and is to be shut down at once.
  mutating func innerRunStarted(_ run: RunCore, in owner: RunOwner) -> Int? {
    guard let number = inner.add(run, of: owner) else { return nil }
    self.run.innerRunStarted()
    return number
  }

  /// Nothing is up of a run any more.
  ///
  /// - Returns: What holds it, to be let go of outside of the lock.
  mutating func innerRunEnded(_ number: Int, of pebble: Int) -> InnerRuns.Entry? {
    run.innerRunEnded()
    return inner.remove(number, of: pebble)
  }

  /// Lets go of the run that this one belongs to, if nothing of it is up.
  mutating func ownerLeft(evenIfUp: Bool) -> (owner: RunOwner, number: Int)? {
    guard evenIfUp || !run.isAnythingUp else { return nil }
    defer { placeAtOwner = nil }
    return placeAtOwner
  }
}
