import Foundation

/// Every core: flights, landings and last flight.
struct RocketsScreen: Sendable {
  fileprivate struct Row {
    let core: Core
    let flights: Int
    let last: Launch?
  }

  let contents: StoreContents

  var lines: [String] {
    guard !contents.cores.items.isEmpty else { return [] }
    var table = TextTable([
      .init(heading: "Core"),
      .init(heading: "Flights", alignment: .right),
      .init(heading: "Landings", alignment: .right),
      .init(heading: "Last flight", widest: 60),
    ])
    let mostFlownFirst = rows.sorted {
      ($0.flights, $0.lastFlown, $0.core.id) > ($1.flights, $1.lastFlown, $1.core.id)
    }
    for row in mostFlownFirst {
      let core = row.core
      table.append([
        core.displayName, "\(row.flights)",
        core.landingAttempts == 0 ? "–" : "\(core.landings) of \(core.landingAttempts)",
        row.last.map { "\(DateText($0.date, precision: .day).short)  \($0.name)" } ?? "–",
      ])
    }
    return table.lines
  }

  /// A core's list of launches includes the planned ones it is assigned to; those are no flights.
  private var rows: [Row] {
    let launches = Dictionary(contents.launches.items.map { ($0.id, $0) }) { first, _ in first }
    return contents.cores.items.map { core in
      let known = core.launchIDs.compactMap { launches[$0] }
      let flown = known.filter { !$0.isUpcoming }
      return Row(
        core: core, flights: core.launchIDs.count - (known.count - flown.count),
        last: flown.max { $0.date < $1.date })
    }
  }
}

extension RocketsScreen.Row {
  fileprivate var lastFlown: Double { last?.date.timeIntervalSince1970 ?? 0 }
}
