import Pebbles

/// A pond cannot be run by a ``Scheduler``, or that was told what cannot have happened.
public struct SchedulerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as a sentence.
  public let description: String

  static func customPolicy(of pond: PondLogic) -> SchedulerError {
    SchedulerError(
      description: "the failure policy of the pond \(pond.name) is a closure, which looks at "
        + "errors that are elsewhere; use `.ignore` or `.cancelAll`, or cancel the scheduler")
  }

  /// What happened to a pebble cannot have: it lacks something, or it has happened before.
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

  /// A pebble was settled, or given, in a way that cannot be.
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
    guard has(pebble) else { return "the pebble at position \(pebble), which there is not," }
    return pond.graph.names[pebble].shortName
  }
}
