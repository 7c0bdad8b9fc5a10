/// A folder of sources in which mutants are made.
struct Room: Sendable {
  let name: String
  let folder: String

  /// The rooms in the order in which their mutants are played.
  static let all: [Room] =
    rooms("Sources/Pebbles", ["Runtime", "Engine", "Compiled", "Report", "Events", "Values"])
    + rooms("Sources/PebblesDurable", ["Scheduler", "Attempts", "Journal"])
    + rooms(
      "Sources/PebblesAnalysis",
      [
        "Simulation", "Why", "Timing", "Scenarios", "Diagrams", "Comparison", "Lint", "JSON",
        "Coding", "Text", "Model", "Documents",
      ])
    + [page]

  /// The part of the script of the inspector page that does not access the page.
  static let page = Room(name: "Page", folder: "Sources/PebblesPictures/Page/Source/engine")

  /// The number of lines of code for each mutant.
  static let linesPerMutant = 10

  private static func rooms(_ folder: String, _ names: [String]) -> [Room] {
    names.map { Room(name: $0, folder: "\(folder)/\($0)") }
  }

  static func room(of path: String) -> Room? {
    all.first { path.hasPrefix("\($0.folder)/") }
  }

  /// Returns the number of mutants to make in a source, which is proportional to its lines of code.
  static func quota(of source: String) -> Int {
    let lines = source.split(separator: "\n").filter { line in
      let code = line.drop { $0 == " " }
      return !code.isEmpty && !code.hasPrefix("//") && code != "}"
    }
    return (lines.count + linesPerMutant / 2) / linesPerMutant
  }
}
