/// Reads a command line, strictly: what is not understood is an error, and nothing is guessed.
struct OptionParser {
  enum Request: Equatable, Sendable {
    case run(Options)
    case help
  }

  /// An hour is long enough to see what a slow pebble does.
  private static let longestDelay = 3_600_000

  private var remaining: ArraySlice<String>
  private var options = Options()
  private var seen: Set<String> = []

  /// What the words after the program's name ask for.
  static func parse(_ arguments: [String]) throws(OptionError) -> Request {
    guard !arguments.contains("--help"), !arguments.contains("-h") else { return .help }
    var parser = OptionParser(remaining: arguments[...])
    while let argument = parser.remaining.popFirst() {
      try parser.take(argument)
    }
    if parser.options.isJSON, parser.options.dot == .standardOutput {
      throw OptionError(problem: "--json and --dot without FILE both write to standard output")
    }
    return .run(parser.options)
  }

  private init(remaining: ArraySlice<String>) {
    self.remaining = remaining
  }

  private mutating func take(_ argument: String) throws(OptionError) {
    guard argument.hasPrefix("-") else {
      throw OptionError(problem: "\(quoted(argument)) is not an option, and nothing else is taken")
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count > 1 ? String(parts[1]) : nil
    switch name {
    case "--launches":
      try once(name)
      options.launchesFile = try value(of: name, attached, "a file")
    case "--cores":
      try once(name)
      options.coresFile = try value(of: name, attached, "a file")
    case "--store":
      try once(name)
      options.storeFile = try value(of: name, attached, "a file")
    case "--dot":
      try once(name)
      options.dot = try optionalValue(of: name, attached).map { .file($0) } ?? .standardOutput
    case "--json":
      try once(name)
      guard attached == nil else { throw OptionError(problem: "--json takes no value") }
      options.isJSON = true
    case "--fail":
      try takeFailure(value(of: name, attached, "loadLaunches or loadCores"))
    case "--slow":
      try takeDelay(value(of: name, attached, "NAME=MS"))
    default:
      throw OptionError(problem: "there is no option \(quoted(name))")
    }
  }

  private mutating func takeFailure(_ pebble: String) throws(OptionError) {
    guard ["loadLaunches", "loadCores"].contains(pebble) else {
      throw OptionError(problem: "--fail takes loadLaunches or loadCores, not \(quoted(pebble))")
    }
    guard options.failing.insert(pebble).inserted else {
      throw OptionError(problem: "--fail \(pebble) is given twice")
    }
  }

  private mutating func takeDelay(_ text: String) throws(OptionError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw OptionError(problem: "--slow takes NAME=MS, such as loadCores=500, not \(quoted(text))")
    }
    let (pebble, number) = (String(parts[0]), String(parts[1]))
    guard Boot.pebbleNames.contains(pebble) else {
      let names = Boot.pebbleNames.joined(separator: ", ")
      throw OptionError(
        problem: "--slow names no pebble of the boot with \(quoted(pebble)); they are \(names)")
    }
    let milliseconds = number.utf8.allSatisfy { (48...57).contains($0) } ? Int(number) : nil
    guard let milliseconds, milliseconds <= OptionParser.longestDelay else {
      throw OptionError(
        problem: """
          --slow \(pebble) takes whole milliseconds from 0 to \(OptionParser.longestDelay), \
          not \(quoted(number))
          """)
    }
    guard options.delays.updateValue(.milliseconds(milliseconds), forKey: pebble) == nil else {
      throw OptionError(problem: "--slow \(pebble) is given twice")
    }
  }

  private mutating func once(_ name: String) throws(OptionError) {
    guard seen.insert(name).inserted else { throw OptionError(problem: "\(name) is given twice") }
  }

  private mutating func value(
    of name: String, _ attached: String?, _ kind: String
  ) throws(OptionError) -> String {
    guard let value = try optionalValue(of: name, attached) else {
      throw OptionError(problem: "\(name) needs \(kind) after it")
    }
    return value
  }

  /// The value after `=`, or else the next word, unless that looks like an option.
  private mutating func optionalValue(
    of name: String, _ attached: String?
  ) throws(OptionError) -> String? {
    let value: String?
    if let attached {
      value = attached
    } else if let next = remaining.first, !next.hasPrefix("-") {
      value = remaining.removeFirst()
    } else {
      value = nil
    }
    guard value != "" else { throw OptionError(problem: "the value of \(name) is empty") }
    return value
  }

  private func quoted(_ text: String) -> String {
    "'\(printable(text).truncated(to: 80))'"
  }
}
