import Pebbles

/// The root cause of a loss in a run, with the chain of pebbles from the first failure to the loss.
/// The chain can be followed because a skipped pebble records which pebble decided its condition.
struct RootCause: Sendable, Hashable {
  /// The error of the pebble at the root.
  let error: String

  /// The pebbles from the root to the lost pebble.
  let pebbles: [String]

  /// The part of a pebble's outcome that matters for the root cause.
  private enum Ending {
    case failed(String)
    case skipped(because: String?)
    case other
  }

  /// Finds the root cause for the first of the given pebbles that failed, or that was skipped
  /// because of a failure. Returns `nil` if there is no such pebble.
  ///
  /// - Parameters:
  ///   - pebbles: The pebbles, checked in this order.
  ///   - status: The status of the run in which the pebbles have settled.
  /// - Complexity: O(*n* + *m* · *c*²), where *n* is the number of pebbles of the run, *m* is the
  ///   number of given pebbles, and *c* is the length of the longest chain.
  init?(of pebbles: [any PebbleIdentifying], in status: RunStatus) {
    let states = Dictionary(status.pebbles.map { ($0.name, $0.state) }) { first, _ in first }
    self.init(of: pebbles) { name in
      let state = states[name]
      if let error = state?.error { return .failed(error.text) }
      return state?.skipReason.map { .skipped(because: $0.decidedBy ?? $0.holder) } ?? .other
    }
  }

  /// Finds the root cause in a run that has ended.
  init?(of pebbles: [any PebbleIdentifying], in report: Report) {
    self.init(of: pebbles) { name in
      switch report.outcome(of: .named(name)) {
      case .succeeded: .other
      case .failed(let error): .failed("\(error)")
      case .skipped(let reason): .skipped(because: reason.decidedBy ?? reason.holder)
      }
    }
  }

  private init?(of pebbles: [any PebbleIdentifying], ending: (String) -> Ending) {
    for pebble in pebbles {
      var way: [String] = []
      var next: String? = pebble.pebbleID.description
      while let name = next, !way.contains(name) {
        way.append(name)
        switch ending(name) {
        case .failed(let error):
          self.error = error
          self.pebbles = way.reversed()
          return
        case .skipped(let cause): next = cause
        case .other: next = nil
        }
      }
    }
    return nil
  }
}

extension RootCause? {
  /// Returns the loss that a screen shows. If the root cause is unknown, the loss has the cause
  /// “something was lost”.
  ///
  /// - Parameters:
  ///   - screen: The name of the pebble that shows the screen.
  ///   - left: The data that can still be shown.
  ///   - page: The page of the run that found the loss.
  /// - Returns: The loss.
  func loss(on screen: String, _ left: Loss.Left, page: String = "/boot") -> Loss {
    Loss(
      cause: self?.error ?? "something was lost", pebbles: (self?.pebbles ?? []) + [screen],
      left: left, page: page)
  }
}
