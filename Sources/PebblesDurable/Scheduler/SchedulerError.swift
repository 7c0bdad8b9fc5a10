import Pebbles

/// An error for a pond that a ``Scheduler`` cannot run, or for an event that cannot have happened.
public struct SchedulerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that describes the problem.
  public let description: String

  static func customPolicy(of pond: PondLogic) -> SchedulerError {
    SchedulerError(
      description: "the failure policy of the pond \(pond.name) is a closure, which cannot see "
        + "errors of other processes; use `.ignore` or `.cancelAll`, or cancel the scheduler")
  }

  /// Returns the error for an event that the pebble's state rules out. If the pebble is neither
  /// running nor settled, `lacks` describes its state, as in `"is not ready"`.
  static func impossible(
    _ pebble: Int, of storage: RunStorage, _ happening: String, lacks: String
  ) -> SchedulerError {
    guard storage.has(pebble) else {
      let count = storage.pond.network.pebbleCount
      return SchedulerError(
        description: "the pebble at position \(pebble) \(happening), but the pond has \(count)")
    }
    let status = storage.state.status(of: pebble)
    let state = status == .running ? "is running" : status.isSettled ? "has settled" : lacks
    return SchedulerError(description: "\(storage.shownName(pebble)) \(happening), but \(state)")
  }

  /// Returns the error for an impossible event. `happening` is a predicate that follows the
  /// pebble's name, such as `"was given, but has a body"`.
  static func impossible(
    _ pebble: Int, of storage: RunStorage, _ happening: String
  ) -> SchedulerError {
    SchedulerError(description: "\(storage.shownName(pebble)) \(happening)")
  }
}

extension PondLogic {
  fileprivate var name: String { graph.pondName.shortName }
}

extension RunStorage {
  fileprivate func shownName(_ pebble: Int) -> String {
    guard has(pebble) else { return "the pebble at position \(pebble), which does not exist," }
    return pond.graph.names[pebble].shortName
  }
}
