import Pebbles

/// A record of the bodies under way, including late bodies, and of the resources that they hold. It
/// detects bodies that hold too much at the same time.
struct SoakHolds: Sendable {
  private struct Body: Sendable {
    let ticket: SoakTicket
    let key: String?
    var connections: Int
  }

  private struct Service: Hashable {
    let run: RunIdentifier
    let pebble: Int
  }

  private var bodies: [SoakTicket: Body] = [:]

  /// The services that have been ready. They hold no resources when they are restarted.
  private var readyServices: Set<Service> = []

  /// Records that a body has begun.
  ///
  /// - Returns: The violations that this reveals.
  mutating func bodyBegan(_ ticket: SoakTicket, _ pebble: SoakPebble) -> [String] {
    var complaints: [String] = []
    let others = bodies.values.filter { $0.ticket.run == ticket.run }
    for other in others where other.ticket.pebble == ticket.pebble {
      complaints.append(
        "\(pebble.name) is in its attempt \(ticket.attempt), and still in \(other.ticket.attempt)")
    }
    let isRestarted = readyServices.contains(Service(run: ticket.run, pebble: ticket.pebble))
    let body = Body(
      ticket: ticket, key: isRestarted ? nil : pebble.exclusiveKey,
      connections: isRestarted ? 0 : pebble.connections)
    if let key = body.key {
      for other in others where other.key == key && other.ticket.pebble != ticket.pebble {
        complaints.append("\(pebble.name) began while p\(other.ticket.pebble) held its \(key)")
      }
    }
    let connections = others.reduce(body.connections) { $0 + $1.connections }
    if body.connections > 0, connections > SoakPlan.connections {
      complaints.append("\(pebble.name) began, and bodies hold \(connections) connections")
    }
    bodies[ticket] = body
    return complaints
  }

  mutating func bodyEnded(_ ticket: SoakTicket) {
    bodies[ticket] = nil
  }

  /// Records that a service is ready. From then on, it holds no resources.
  mutating func serviceIsReady(_ ticket: SoakTicket) {
    readyServices.insert(Service(run: ticket.run, pebble: ticket.pebble))
    bodies[ticket] = Body(ticket: ticket, key: nil, connections: 0)
  }
}
