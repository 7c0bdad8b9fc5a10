/// What the command line asks for.
struct Options: Equatable, Sendable {
  enum DotTarget: Equatable, Sendable {
    case standardOutput
    case file(String)
  }

  /// `nil` for the files that come with the program.
  var launchesFile: String?
  var coresFile: String?
  /// `nil` for the one in the user's cache directory.
  var storeFile: String?
  var dot: DotTarget?
  var isJSON = false
  var failing: Set<String> = []
  var delays: [String: Duration] = [:]

  static let help = """
    usage: launches [options]

    Loads SpaceX launches and cores from two files at the same time into a small
    local store, then shows three screens from it: home, launches and rockets.

      --launches FILE   launches in the r/SpaceX v4 shape; some come with this
      --cores FILE      cores in the same shape; some come with this
      --store FILE      where the store is; without this, a file in the user's
                        cache directory
      --dot [FILE]      write the graph of the boot, with what happened, to FILE;
                        without FILE, to standard output instead of the screens
      --json            write one JSON object instead of the screens
      --fail NAME       let loadLaunches or loadCores fail; may be repeated
      --slow NAME=MS    let a pebble wait for MS milliseconds first; may be repeated
      --help            show this

    Exit status: 0 if there was something to show, even if a load failed; 1 if there
    was not, or if output could not be written; 2 if the options are wrong.

    """
}

/// What is wrong with the command line.
struct OptionError: Error, Equatable, CustomStringConvertible {
  let problem: String

  var description: String { "launches: \(problem)\nTry launches --help.\n" }
}
