/// Every launch: flight number, name, date, outcome and cores.
struct LaunchesScreen: Sendable {
  let contents: StoreContents

  var lines: [String] {
    let launches = contents.launches.items
    guard !launches.isEmpty else { return [] }
    let names = Dictionary(contents.cores.items.map { ($0.id, $0.displayName) }) { first, _ in first
    }
    var table = TextTable([
      .init(heading: "No.", alignment: .right),
      .init(heading: "Name"),
      .init(heading: "Date (UTC)"),
      .init(heading: "Outcome"),
      .init(heading: "Cores"),
    ])
    // Launches known only to the month are all at its first day, where their numbers tell.
    let newestFirst = launches.sorted {
      ($0.date, $0.flightNumber ?? 0, $0.id) > ($1.date, $1.flightNumber ?? 0, $1.id)
    }
    for launch in newestFirst {
      table.append([
        launch.flightNumber.map(String.init) ?? "–", launch.name, DateText(of: launch).short,
        launch.outcomeText, cores(of: launch, names),
      ])
    }
    return table.lines
  }

  /// `B1048.3` is the third flight of the core B1048, as those who follow them write it.
  private func cores(of launch: Launch, _ names: [Core.ID: String]) -> String {
    let assigned = launch.cores.compactMap { core in
      core.coreID.map { id in
        (names[id] ?? Core.displayName(ofUnnamed: id)) + (core.flight.map { ".\($0)" } ?? "")
      }
    }
    guard !assigned.isEmpty else { return "not assigned" }
    return assigned.joined(separator: ", ")
  }
}
