/// The signal watches of the process, each with a flag that shows whether it has fired.
struct SignalRegister: Sendable {
  typealias Handler = @Sendable (Signal) -> Void

  /// The consequence of a signal.
  enum Action {
    /// An order to call the handlers of the watches that have just received their first signal.
    case call([Handler])

    /// An order to end the process, because this is the second signal for at least one watch.
    case endProcess

    /// An order to let the signal have its usual effect, because it is no longer watched.
    case passOn
  }

  struct Watch: Sendable {
    let identifier: Int
    let signals: Set<Signal>
    let handler: Handler
    var hasFired = false
  }

  /// All watched signals.
  private(set) var signals: Set<Signal> = []

  private var watches: [Watch] = []
  private var nextIdentifier = 0

  mutating func add(_ signals: Set<Signal>, _ handler: @escaping Handler) -> Int {
    defer { nextIdentifier += 1 }
    watches.append(Watch(identifier: nextIdentifier, signals: signals, handler: handler))
    self.signals.formUnion(signals)
    return nextIdentifier
  }

  mutating func remove(_ identifier: Int) -> Watch? {
    guard let index = watches.firstIndex(where: { $0.identifier == identifier }) else { return nil }
    let removed = watches.remove(at: index)
    signals = watches.reduce(into: []) { $0.formUnion($1.signals) }
    return removed
  }

  mutating func signalArrived(_ signal: Signal) -> Action {
    let concerned = watches.indices.filter { watches[$0].signals.contains(signal) }
    if concerned.isEmpty { return .passOn }
    if concerned.contains(where: { watches[$0].hasFired }) { return .endProcess }
    for index in concerned { watches[index].hasFired = true }
    return .call(concerned.map { watches[$0].handler })
  }
}
