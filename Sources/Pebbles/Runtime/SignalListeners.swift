/// Who listens to which signals, and who has heard one already.
///
/// A value without locks or system calls, so that its rules can be tested without signals.
struct SignalListeners: Sendable {
  typealias ID = Int
  typealias Handler = @Sendable (Signal) -> Void

  /// What is to be done about a signal.
  enum Action: Sendable {
    /// Call these; for each it is the first signal.
    case call([Handler])

    /// For somebody it is the second.
    case endProcess

    /// Nobody listens any longer: the disposition from before decides.
    case giveBack
  }

  /// A listener is *waiting* until it hears a signal, then *alarmed*, until it is removed.
  private struct Listener {
    let signals: Set<Signal>
    let handler: Handler
    var isAlarmed = false
  }

  private var listeners: [ID: Listener] = [:]
  private var nextID = 0

  /// All signals that somebody listens to.
  var signals: Set<Signal> {
    listeners.values.reduce(into: []) { $0.formUnion($1.signals) }
  }

  mutating func add(_ signals: Set<Signal>, _ handler: @escaping Handler) -> ID {
    nextID += 1
    listeners[nextID] = Listener(signals: signals, handler: handler)
    return nextID
  }

  mutating func remove(_ listener: ID) {
    listeners[listener] = nil
  }

  mutating func signalArrived(_ signal: Signal) -> Action {
    // In the order they were added, so that a run started first is told first.
    let hearing = listeners.keys.sorted().filter {
      listeners[$0]?.signals.contains(signal) ?? false
    }
    if hearing.isEmpty { return .giveBack }
    if hearing.contains(where: { listeners[$0]?.isAlarmed ?? false }) { return .endProcess }
    return .call(
      hearing.compactMap { id in
        listeners[id]?.isAlarmed = true
        return listeners[id]?.handler
      })
  }
}
