import Pebbles

/// What was lost in a run, and the pebbles that lead there from what failed first. Conditions are
/// data, so every pebble that was skipped knows which one decided that.
struct RootCause: Sendable, Hashable {
  /// What the pebble at the root failed with.
  let error: String

  /// From the root to the pebble asked for.
  let pebbles: [String]

  /// How a pebble ended, as far as that matters here.
  private enum Ending {
    case failed(String)
    case skipped(because: String?)
    case other
  }

  /// The root cause of the first of these pebbles that did not succeed; `nil` if all succeeded, or
  /// nothing failed behind them.
  ///
  /// - Parameters:
  ///   - pebbles: Looked at in this order.
  ///   - status: What their run is at, which has settled them.
  /// - Complexity: O(pebbles of the run).
  init?(of pebbles: [any PebbleIdentifying], in status: RunStatus) {
    let states = Dictionary(status.pebbles.map { ($0.name, $0.state) }) { first, _ in first }
    self.init(of: pebbles) { name in
      let state = states[name]
      if let error = state?.error { return .failed(error.text) }
      return state?.skipReason.map { .skipped(because: $0.decidedBy ?? $0.holder) } ?? .other
    }
  }

  /// The same of a run that has ended.
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
  /// What a screen says of it. There is a cause whenever something was lost; should the run not
  /// tell, this says so.
  ///
  /// - Parameters:
  ///   - screen: The pebble that shows it.
  ///   - left: What is still there.
  ///   - page: Where the run is shown that found it.
  /// - Returns: The loss.
  func loss(on screen: String, _ left: Loss.Left, page: String = "/boot") -> Loss {
    Loss(
      cause: self?.error ?? "something was lost", pebbles: (self?.pebbles ?? []) + [screen],
      left: left, page: page)
  }
}
