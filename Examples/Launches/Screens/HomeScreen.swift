import Foundation

/// The next launch, the last one, and how many there were each year.
struct HomeScreen: Sendable {
  private static let widestBar = 40

  let launches: [Launch]
  let now: Date

  var lines: [String] {
    guard !launches.isEmpty else { return [] }
    return summary(of: next, "Next launch", none: "none is planned")
      + summary(of: last, "Last launch", none: "none has flown")
      + [""] + launchesPerYear
  }

  /// The first planned launch from today on; in a list that old that all have passed, the first.
  var next: Launch? {
    let planned = launches.filter(\.isUpcoming).sorted { $0.date < $1.date }
    return planned.first { $0.date >= now } ?? planned.first
  }

  var last: Launch? {
    launches.filter { !$0.isUpcoming }.max { $0.date < $1.date }
  }

  private func summary(of launch: Launch?, _ title: String, none: String) -> [String] {
    guard let launch else { return ["  \(title)  \(none)"] }
    var facts = [DateText(of: launch).long]
    if launch.isUpcoming {
      if launch.date < now { facts.append("that has passed, so the list is old") }
    } else {
      facts.append(launch.outcomeText)
    }
    if launch.crewSize > 0 { facts.append("crew of \(launch.crewSize)") }
    let indent = String(repeating: " ", count: title.count)
    return [
      "  \(title)  \(printable(launch.name).truncated(to: 70))",
      "  \(indent)  \(facts.joined(separator: " · "))",
    ]
  }

  /// A bar for each year with launches: `█` for one flown, `░` for one planned, or for several when
  /// a year has more than fit.
  private var launchesPerYear: [String] {
    let years = Dictionary(grouping: launches) { DateText(of: $0).year }
    let most = years.values.map(\.count).max() ?? 0
    let scale = max(1, (most + HomeScreen.widestBar - 1) / HomeScreen.widestBar)
    return years.sorted { $0.key < $1.key }.map { year, launches in
      let flown = launches.count { !$0.isUpcoming }
      let planned = launches.count - flown
      let bar = blocks("█", flown, scale) + blocks("░", planned, scale)
      let counts = planned == 0 ? "\(flown)" : "\(flown) flown, \(planned) planned"
      return "  \(year)  \(bar) \(counts)"
    }
  }

  /// At least one block for at least one launch.
  private func blocks(_ block: String, _ count: Int, _ scale: Int) -> String {
    String(repeating: block, count: (count + scale - 1) / scale)
  }
}

extension Launch {
  var outcomeText: String {
    if isUpcoming { return "planned" }
    return succeeded.map { $0 ? "success" : "failure" } ?? "unknown"
  }
}
