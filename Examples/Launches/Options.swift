/// The command-line options.
struct Options: Equatable, Sendable {
  /// The values of the given options, keyed by option name. For an option about a pebble, the key
  /// includes the pebble's name, as in `--slow loadCores`. For an option that takes no value, the
  /// value is an empty string.
  var values: [String: String] = [:]

  static let help = """
    usage: launches [options]

    Loads SpaceX launches and cores from two files at the same time into a small local store,
    then shows three screens from it: home, launches and rockets.

      --launches FILE   launches in the r/SpaceX v4 shape; by default, a bundled file
      --cores FILE      cores in the same shape; by default, a bundled file
      --store FILE      the store; by default, a file in the user's cache directory
      --dot [FILE]      write the graph of the run to FILE, or instead of the screens
      --record FILE     write a record of the run to FILE, for the command pond
      --like FILE       show how long it will take, from a run recorded in FILE
      --journal FILE    keep a journal in FILE, and go on from it if an earlier run died
      --json            write one JSON object instead of the screens
      --fail NAME       let loadLaunches or loadCores fail; may be repeated
      --retry           if a pebble fails, run it and what needs it again, without --fail
      --slow NAME=MS    let a pebble wait for MS milliseconds first; may be repeated
      --version         show the version
      --help            show this

    Exit status: 0 if there was something to show, even if a load failed; 1 if there was nothing
    to show, or if the store, the journal, a recorded run or an output could not be used; 2 if the
    options are wrong.

    """

  /// Parses a command line. An unknown option is an error, even if its meaning could be guessed.
  /// If `--help` or `--version` is given, the other options are ignored.
  init(_ arguments: [String]) throws(Problem) {
    if arguments.contains("--version") { values = ["--version": ""] }
    if arguments.contains("--help") || arguments.contains("-h") { values = ["--help": ""] }
    let needs = [
      "--launches": "a file", "--cores": "a file", "--store": "a file", "--dot": "", "--json": "",
      "--retry": "",
      "--fail": "loadLaunches or loadCores", "--slow": "NAME=MS", "--record": "a file",
      "--like": "a file", "--journal": "a file",
    ]
    var rest = values.isEmpty ? arguments[...] : []
    while let word = rest.popFirst() {
      try check(word.hasPrefix("-"), "\(quoted(word)) is not an option; give only options")
      var (name, value) = halves(of: word)
      let need = needs[name]
      try check(need != nil, "there is no option \(quoted(name))")
      let isFlag = ["--json", "--retry"].contains(name)
      try check(!isFlag || value == nil, "\(name) takes no value")
      // The value is after `=`, or is the next word unless that looks like an option.
      let isNext = value == nil && !isFlag && rest.first?.hasPrefix("-") == false
      if isNext { value = rest.popFirst() }
      try check(value != "", "the value of \(name) is empty")
      try check(value != nil || need == "", "\(name) needs \(need ?? "") after it")
      if ["--fail", "--slow"].contains(name) { (name, value) = try pebble(name, value ?? "") }
      let isNew = values.updateValue(value ?? "", forKey: name) == nil
      try check(isNew, "\(name) is given twice")
    }
    let isTwofold = values["--json"] != nil && values["--dot"] == ""
    try check(!isTwofold, "--json and --dot without FILE both write to standard output")
  }

  /// Returns the key for an option about a pebble, such as `--slow loadCores`, and the delay in
  /// milliseconds.
  private func pebble(_ option: String, _ text: String) throws(Problem) -> (String, String) {
    let (name, delay) = option == "--fail" ? (text, "0") : halves(of: text)
    let names = option == "--fail" ? ["loadLaunches", "loadCores"] : Boot.pebbleNames
    let known = names.joined(separator: " or ")
    try check(delay != nil, "--slow takes NAME=MS, such as loadCores=500, not \(quoted(text))")
    try check(names.contains(name), "\(option) takes \(known), not \(quoted(name))")
    let isNumber = delay?.first != "+" && 0...3_600_000 ~= Int(delay ?? "") ?? -1
    let range = "whole milliseconds from 0 to 3600000"
    try check(isNumber, "--slow \(name) takes \(range), not \(quoted(delay ?? ""))")
    return ("\(option) \(name)", delay ?? "")
  }
}

/// Returns the parts of a string before and after the first `=`, even if a combining mark follows
/// the `=`. If there is no `=`, the second part is `nil`.
private func halves(of text: String) -> (String, String?) {
  let parts = text.unicodeScalars.split(
    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
}

private func quoted(_ text: String) -> String { "'\(text.truncated(to: 80))'" }
