import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import PebblesPictures
import Synchronization

/// The program `launches`, which boots a SpaceX launch tracker in a terminal. The boot itself is in
/// `Boot.swift`.
@main
struct Launches {
  static func main() async {
    // With the signal ignored, a write to a closed pipe returns an error instead of killing the
    // program.
    signal(SIGPIPE, SIG_IGN)
    // If a standard stream is closed, the next file opened would get its number and be printed
    // into.
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
    var failure: Int32 = 2
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      failure = 1
      exit(try await run(options.values) ? 0 : failure)
    } catch {
      tell("launches: \(error)" + (failure == 2 ? "\nTry launches --help." : ""))
      exit(failure)
    }
  }

  /// Runs the boot, and writes the requested output.
  ///
  /// - Returns: Whether there was something to show.
  private static func run(_ options: [String: String]) async throws -> Bool {
    if options["--version"] != nil {
      try write("launches \(Pond.packageVersion)\n")
      return true
    }
    if options["--help"] != nil {
      try write(Options.help)
      return true
    }
    let store = Store(path: options["--store"] ?? defaultStore())
    try store.checkFolder()
    try checkOutputs(options, of: store)
    let isRetry = Atomic(false)
    let boot = Boot(
      launches: Feed(name: "launches", path: options["--launches"] ?? fixture("launches")),
      cores: Feed(name: "cores", path: options["--cores"] ?? fixture("cores")), store: store,
      now: { .now }, show: { _ in /* Once the terminal is free again. */ },
      around: { context, body in
        let name = context.pebble
        try await Task.sleep(for: .milliseconds(Int(options["--slow \(name)"] ?? "") ?? 0))
        let fails = options["--fail \(name)"] != nil && !isRetry.load(ordering: .acquiring)
        try check(!fails, "--fail \(name) asked for this")
        try await body()
      })
    let earlier = try options["--like"].map(earlierRun)
    var run =
      if let path = options["--journal"] {
        try await boot.pond.start(journal: Journal(at: path, waiting: .zero))
      } else {
        try boot.pond.start()
      }
    var report = try await shownReport(of: run, expecting: earlier)
    let showsScreens = options["--json"] == nil && options["--dot"] != ""
    if options["--retry"] != nil, !report.failures.isEmpty {
      isRetry.store(true, ordering: .releasing)
      run = try await run.resumed()
      report = try await shownReport(of: run, expecting: earlier)
      if showsScreens { try write(retryLine(of: report) + "\n\n") }
    }
    if showsScreens, let screens = report[boot.refreshScreens] { try write(screens.text) }
    if let file = options["--dot"] { try write(report.dot() + "\n", toFile: file) }
    if let file = options["--record"] {
      try write(report.recorded(from: origin(of: run)).json(), toFile: file)
    }
    let summary = JSONSummary(of: report, store: try? store.contents())
    if options["--json"] != nil { try write(summary.text()) }
    return report.outcome(of: boot.refreshScreens).isSucceeded
  }

  /// Reads a recorded run from a file.
  private static func earlierRun(_ path: String) throws(Problem) -> RecordedRun {
    do throws(Problem) {
      return try JSONFile(path: path).decode(RecordedRun.self, named: "run")
    } catch {
      throw Problem("cannot use --like \(path.truncated(to: 80)): \(error)")
    }
  }

  private static func origin(of run: Run) -> RunOrigin {
    RunOrigin(
      started: .seconds(Date().timeIntervalSince1970) - run.status.elapsed,
      host: ProcessInfo.processInfo.hostName, version: Pond.packageVersion)
  }

  private static func shownReport(
    of run: Run, expecting earlier: RecordedRun?
  ) async throws -> Report {
    let progress = run.showProgress(expecting: earlier)
    let report = try await run.report
    await progress.value
    return report
  }

  /// Returns a line that lists the pebbles that the retry called again, and the ones that it kept.
  private static func retryLine(of report: Report) -> String {
    let kept = report.records.filter { $0.keptFrom != nil }.map(\.name)
    let called = report.records.filter { report.ran(.named($0.name)) }
    let line = "Tried again: \(called.map(\.name).joined(separator: ", "))."
    return kept.isEmpty ? line : "\(line) Kept: \(kept.joined(separator: ", "))."
  }

  /// Throws an error if an output would overwrite a feed, the store or the journal. The file of
  /// `--like` may be overwritten, because it is read before any output is written.
  private static func checkOutputs(
    _ options: [String: String], of store: Store
  ) throws(Problem) {
    var inputs = [options["--launches"], options["--cores"], store.path].compactMap { $0 }
    for option in ["--journal", "--dot", "--record"] {
      guard let output = options[option], output != "" else { continue }
      let isInput = inputs.contains { isSameFile($0, output) }
      try check(!isInput, "\(option) \(output) would overwrite an input; name another file")
      // The next run reads the journal.
      if option == "--journal" { inputs.append(output) }
    }
  }

  /// Returns the path of a bundled file.
  static func fixture(_ name: String) -> String {
    Bundle.module.bundleURL.appendingPathComponent("Fixtures/\(name).json").path
  }

  /// Returns the path of the store in the user's cache directory, and creates its folder if
  /// necessary.
  private static func defaultStore() -> String {
    let named = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"] ?? ""
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
    let folder = (named.hasPrefix("/") ? named : caches.path) + "/swift-pond-launches"
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder + "/store.json"
  }
}

/// Returns whether two names refer to the same file. Symbolic links are followed.
func isSameFile(_ name: String, _ other: String) -> Bool {
  let paths = [name, other].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
  var (first, second) = (stat(), stat())
  let areThere = stat(name, &first) == 0 && stat(other, &second) == 0
  return paths[0] == paths[1]
    || areThere && first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

/// Writes text to a file or, if `name` is empty, to standard output. A closed pipe is not an error,
/// because programs such as `head` stop reading when they have read enough.
func write(_ text: String, toFile name: String = "") throws(Problem) {
  let data = Data(text.utf8)
  do {
    if name != "" {
      // Files are replaced as a whole or not at all; pipes and the like are written to.
      var status = stat()
      let isOther = stat(name, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
      let isReplaced = !isOther && !name.hasPrefix("/dev/")
      let file = URL(fileURLWithPath: name)
      return try isReplaced
        ? data.write(to: file.resolvingSymlinksInPath(), options: .atomic) : data.write(to: file)
    }
    try FileHandle.standardOutput.write(contentsOf: data)
  } catch {
    let (place, reason) = (name == "" ? "standard output" : name, reason(error))
    try check(reason == "broken pipe", "cannot write \(place): \(reason)")
  }
}

/// Writes to standard error. A failure is ignored, because there is no place left to report it.
func tell(_ line: String) {
  try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}

/// The output of `--json`: the numbers of items in the store, the outcomes of the pebbles, and the
/// makespan.
struct JSONSummary: Codable, Equatable, Sendable {
  let launches, cores: Int
  let outcomes: [String: String]
  let makespanMs: Double

  /// The names of the pebbles that a retry kept; `nil` if no pebble was kept.
  let kept: [String]?

  /// Creates a summary. Pass `nil` as `store` if the store cannot be read; it then counts as empty.
  init(of report: Report, store: Store.Contents?) {
    (launches, cores) = (store?.launches.items.count ?? 0, store?.cores.items.count ?? 0)
    let outcomes = report.records.map { record in
      let word = record.outcome.isFailed ? "failed" : "skipped"
      return (record.name, record.outcome.isSucceeded ? "succeeded" : word)
    }
    let kept = report.records.filter { $0.keptFrom != nil }.map(\.name)
    self.kept = kept.isEmpty ? nil : kept
    self.outcomes = Dictionary(uniqueKeysWithValues: outcomes)
    makespanMs = ((report.makespan / .milliseconds(1)) * 1000).rounded() / 1000
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}
