@testable import Pebbles

extension EventHub {
  /// Publishes, for each name, the event that the pebble is ready.
  func publish(_ names: String...) {
    for name in names { publish(.ready(name)) }
  }

  func publish(_ happening: RunEvent.Happening, at time: Duration = .zero) {
    publish(RunEvent(time: time, happening))
  }
}

extension RunEvents {
  /// Returns all events of one iteration, each in short form.
  func all() async -> [String] {
    var events: [String] = []
    for await event in self { events.append(event.short) }
    return events
  }
}

extension RunEvent {
  /// The event in short form: the name of a ready pebble, `-2` for two dropped events, or `end`.
  var short: String {
    switch happening {
    case .ready(let name): name
    case .dropped(let count): "-\(count)"
    case .runEnded: "end"
    case .attemptStarted, .attemptFailed, .settled, .serviceEnded, .stalled, .serviceRestarted,
      .shutdownBegan, .stopRequested, .teardownStarted, .teardownEnded, .shutdownEnded:
      description
    }
  }
}
