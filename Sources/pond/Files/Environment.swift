/// All that a command knows of where it runs, so that tests can say so.
struct Environment: Sendable {
  /// What is set in it, by name.
  var variables: [String: String] = [:]

  /// Whether standard output is a terminal.
  var isTerminal = false

  /// How many columns the terminal has, if that is known.
  var columns: Int?

  /// Whether two names lead to one file; the second may be `-`, which is standard input.
  var isSameFile: @Sendable (_ path: String, _ other: String) -> Bool = { $0 == $1 }

  /// Reads a file, or standard input for `-`, up to one byte more than so many.
  var read: @Sendable (_ path: String, _ most: Int) throws(Problem) -> [UInt8]

  /// How answers are shown.
  func look(_ color: ColorChoice) -> Printout.Look {
    let isColored =
      switch color {
      case .always: true
      case .never: false
      // https://no-color.org: set, and not empty.
      case .auto:
        isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
      }
    return Printout.Look(isColored: isColored, width: width)
  }

  private var width: Int? {
    guard isTerminal else { return nil }
    return variables["COLUMNS"].flatMap { Int($0) }.map { max($0, 1) } ?? columns
  }
}
