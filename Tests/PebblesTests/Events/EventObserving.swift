@testable import Pebbles

extension EventHub {
  /// Publishes an event for each of the given names, saying that the pebble with that name is
  /// ready.
  func publish(_ names: String...) {
    for name in names { publish(.ready(name)) }
  }

  func publish(_ happening: RunEvent.Happening, at time: Duration = .zero) {
    publish(RunEvent(time: time, happening))
  }
}

extension RunEvents {
  /// Returns the short forms of all events that one iteration receives.
  func all() async -> [String] {
    var events: [String] = []
    for await event in self { events.append(event.short) }
    return events
  }
}

extension RunEvent {
  /// The short form of the event: the name of a ready pebble, `end` for the end of the run, or, for
  /// example, `-2` for two dropped events.
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
