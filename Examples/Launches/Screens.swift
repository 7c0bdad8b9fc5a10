import Foundation

/// The three screens, made from the contents of the store.
struct Screens: Codable, Sendable {
  let text: String

  init(of store: Store.Contents, launchesFailed: Bool, coresFailed: Bool, now: Date) throws {
    let isEmpty = store.launches.items.isEmpty && store.cores.items.isEmpty
    try check(!isEmpty, "there is nothing to show: the store is empty")
    let launchesNote = store.launches.note("launch", "launches", failed: launchesFailed, now: now)
    let coresNote = store.cores.note("core", "cores", failed: coresFailed, now: now)
    let home = HomeScreen(launches: store.launches.items, now: now).lines
    let screens = [
      ("Home", [launchesNote, coresNote], home),
      ("Launches, newest first", [launchesNote], launchLines(store)),
      ("Rockets, most flown first", [coresNote], rocketLines(store)),
    ]
    let lines = screens.flatMap { title, notes, lines in
      let rule = String(repeating: "─", count: title.count)
      return [title, rule] + notes + (lines.isEmpty ? [] : [""] + lines) + [""]
    }
    text = lines.joined(separator: "\n")
  }
}

extension Stored {
  /// Returns a sentence that states the number of items and when they were loaded.
  fileprivate func note(_ one: String, _ many: String, failed: Bool, now: Date) -> String {
    guard let loadedAt else {
      return "! No \(many): they could not be loaded, and never were before."
    }
    let (count, age) = (items.count, age(of: loadedAt, at: now))
    guard failed else { return "\(counted(count, one, many)), loaded \(age)." }
    let date = DatePrecision.hour.text(loadedAt, inWords: true)
    return "! The \(many) could not be loaded. The store has \(count), loaded \(age), on \(date)."
  }
}

/// The home screen: the next launch, the last launch, and the number of launches in each year.
struct HomeScreen: Sendable {
  let launches: [Launch], now: Date

  /// The first planned launch that is not in the past. If the list is so old that all planned
  /// launches are in the past, this is the first of them.
  var next: Launch? {
    let planned = launches.filter(\.isUpcoming).sorted { $0.date < $1.date }
    return planned.first { $0.date >= now } ?? planned.first
  }

  var last: Launch? { launches.filter { !$0.isUpcoming }.max { $0.date < $1.date } }

  var lines: [String] {
    guard !launches.isEmpty else { return [] }
    return summary("Next launch", next, "none is planned")
      + summary("Last launch", last, "none has flown") + [""] + years
  }

  private func summary(_ title: String, _ launch: Launch?, _ none: String) -> [String] {
    guard let launch else { return ["  \(title)  \(none)"] }
    var facts = [launch.datePrecision.text(launch.date, inWords: true)]
    if !launch.isUpcoming { facts.append(launch.outcome) }
    if launch.isUpcoming, launch.date < now { facts.append("that has passed, so the list is old") }
    if launch.crewSize > 0 { facts.append("crew of \(launch.crewSize)") }
    let name = printable(launch.name).truncated(to: 70)
    return ["  \(title)  \(name)", "               " + facts.joined(separator: " · ")]
  }

  /// A line with a bar for each year: `█` for a flown launch, and `░` for a planned one. If the
  /// longest bar would be too wide, each of these characters stands for several launches.
  private var years: [String] {
    let years = Dictionary(grouping: launches) { DatePrecision.year.text($0.date) }
    let scale = ((years.values.map(\.count).max() ?? 0) + 39) / 40
    return years.sorted { $0.key < $1.key }.map { year, launches in
      let planned = launches.count(where: \.isUpcoming)
      let flown = launches.count - planned
      let blocks = [("█", flown), ("░", planned)]
      let bar = blocks.map { String(repeating: $0, count: ($1 + scale - 1) / scale) }.joined()
      return "  \(year)  \(bar) \(flown)" + (planned == 0 ? "" : " flown, \(planned) planned")
    }
  }
}

/// Returns the lines of a table with a row for every launch: flight number, name, date, outcome and
/// cores.
func launchLines(_ store: Store.Contents) -> [String] {
  let cores = store.cores.byID
  // Launches known only to the month have its first day as date, so their numbers decide.
  let newestFirst = store.launches.items.sorted {
    ($0.date, $0.flightNumber ?? 0, $0.id) > ($1.date, $1.flightNumber ?? 0, $1.id)
  }
  let rows = newestFirst.map { launch in
    // `B1048.3` is the usual notation for the third flight of the core B1048.
    let flights = launch.cores.compactMap { core in
      core.coreID.map { label($0, cores[$0]) + (core.flight.map { ".\($0)" } ?? "") }
    }.joined(separator: ", ")
    return [
      launch.flightNumber.map(String.init) ?? "–", launch.name,
      launch.datePrecision.text(launch.date), launch.outcome,
      flights.isEmpty ? "not assigned" : flights,
    ]
  }
  return table(["No.", "Name", "Date (UTC)", "Outcome", "Cores"], right: [0], widest: 40, rows)
}

/// Returns the lines of a table with a row for every core: flights, landings and last flight.
func rocketLines(_ store: Store.Contents) -> [String] {
  let launches = store.launches.byID
  let rows = store.cores.items.map { core in
    // The launches of a core include planned ones, which are not flights yet.
    let known = core.launchIDs.compactMap { launches[$0] }
    let flights = core.launchIDs.count - known.count(where: \.isUpcoming)
    let last = known.filter { !$0.isUpcoming }.max { $0.date < $1.date }
    let landings = "\(core.landings) of \(core.landingAttempts)"
    let row = [
      label(core.id, core), "\(flights)", core.landingAttempts == 0 ? "–" : landings,
      last.map { "\(DatePrecision.day.text($0.date))  \($0.name)" } ?? "–",
    ]
    return (rank: (flights, last?.date ?? .distantPast, core.id), row: row)
  }
  let ranked = rows.sorted { $0.rank > $1.rank }.map(\.row)
  return table(["Core", "Flights", "Landings", "Last flight"], right: [1, 2], widest: 60, ranked)
}

/// Returns the serial number of a core or, if it is unknown, the end of the core's identifier.
private func label(_ id: String, _ core: Core?) -> String { core?.serial ?? "…\(id.suffix(6))" }

extension Launch {
  fileprivate var outcome: String {
    isUpcoming ? "planned" : succeeded.map { $0 ? "success" : "failure" } ?? "unknown"
  }
}
