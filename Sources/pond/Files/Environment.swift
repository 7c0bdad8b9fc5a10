/// The environment in which a command runs, including its files. Tests can replace it.
struct Environment: Sendable {
  /// The environment variables, keyed by name.
  var variables: [String: String] = [:]

  /// Whether standard output is a terminal.
  var isTerminal = false

  /// The number of columns of the terminal; `nil` if it is unknown.
  var columns: Int?

  /// A closure that returns whether two names refer to the same file. The second name may be `-`,
  /// for standard input.
  var isSameFile: @Sendable (_ path: String, _ other: String) -> Bool = { $0 == $1 }

  /// A closure that reads a file, or standard input for `-`. The closure `most` receives the bytes
  /// read so far and returns the maximum length; at most one byte more is read. Each file is read
  /// only once, because a pipe cannot be read from its beginning again.
  var read: @Sendable (_ path: String, _ most: ([UInt8]) -> Int) throws(Problem) -> [UInt8]

  /// Returns the look of answers printed to standard output, given the user's choice of color.
  func look(_ color: ColorChoice) -> Printout.Look {
    let isColored =
      switch color {
      case .always: true
      case .never: false
      // https://no-color.org: set, and not empty.
      case .auto:
        isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
      }
    return Printout.Look(isColored: isColored, width: width, isOnGitHub: isOnGitHub)
  }

  /// Whether the command runs in a GitHub Actions job.
  var isOnGitHub: Bool { variables["GITHUB_ACTIONS"] == "true" }

  private var width: Int? {
    guard isTerminal else { return nil }
    return variables["COLUMNS"].flatMap { Int($0) }.map { max($0, 1) } ?? columns
  }
}
