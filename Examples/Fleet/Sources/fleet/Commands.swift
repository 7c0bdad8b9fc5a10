import ArgumentParser
import Foundation
import Nightly
import Pebbles
import PebblesAnalysis
import PebblesPictures
import PebblesTemporal

struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Works for runs, until SIGTERM or Ctrl-C.")

  @OptionGroup var server: ServerOptions
  @OptionGroup var load: LoadOptions

  @Option(help: "How many bodies are called at a time.")
  var slots = 10

  func run() async throws {
    let ponds = [try load.load().pond, KillTestPond.make()]
    try await server.connected { [slots, queue = server.queue] temporal in
      let worker = try TemporalWorker(temporal, ponds: ponds, taskQueue: queue, slots: slots)
      let process = Pond("process", onFailure: .cancelAll)
      process.service("worker") { ready in
        try await worker.run {
          say("worker \(temporal.identity) is up")
          ready()
        }
      }
      let end = try await process.run(untilSignal: [.terminate, .interrupt])
      // Thrown unwrapped: the user need not know that the worker is a pebble here.
      if let failure = end.failures.first?.outcome.error { throw failure }
      try end.check()
      say("worker \(temporal.identity) has ended")
    }
  }
}

struct StartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Starts a load, or joins the one of this name, and waits for its end.",
    discussion: """
      The exit status is 0 if the load was published, or if somebody cancelled it and nothing \
      failed; with --detached, if it is under way. Otherwise it is 1.
      """)

  @OptionGroup var server: ServerOptions

  @Argument(help: "The name of the run.")
  var id = "nightly"

  @Option(help: "Cancel it if it takes longer, in seconds.")
  var within: Int?

  @Flag(help: "Do not wait for its end.")
  var detached = false

  func run() async throws {
    // The bodies and the folder are up to the workers.
    let pond = NightlyLoad(try .bundled(), LaunchStore(folder: .temporaryDirectory)).pond
    var options = TemporalRunOptions()
    options.taskQueue = server.queue
    options.within = within.map { .seconds($0) }
    let code = try await server.connected { [options, id, detached] temporal in
      let run = try await pond.start(on: temporal, id: id, options)
      say(run.isNew ? "started \(run.runID)" : "joined \(run.runID)")
      if detached { return Int32(0) }
      return try Self.tell(try await run.report())
    }
    throw ExitCode(code)
  }

  /// Prints how a run ended.
  ///
  /// - Returns: The exit status.
  private static func tell(_ run: RecordedRun) throws -> Int32 {
    for line in try lines(about: run) { print(line) }
    return try run.exitCode
  }

  /// Returns lines that describe how a run ended. They contain each failure only once, and the
  /// outcomes of the other pebbles.
  static func lines(about run: RecordedRun) throws -> [String] {
    let unhandled = Set(try run.unhandledFailures.map(\.name))
    let handled = run.failures.filter { !$0.wasCancelled && !unhandled.contains($0.name) }
    let cancelled = run.failures.filter(\.wasCancelled)
    var lines: [String] = []
    let kinds = [("failed, but was handled", handled), ("cancelled with the run", cancelled)]
    for (title, failures) in kinds {
      let byError = Dictionary(grouping: failures) { $0.outcome.error ?? "" }
      for (error, pebbles) in byError.sorted(by: { $0.key < $1.key }) {
        lines.append("  \(title): \(pebbles.map(\.name).joined(separator: ", ")): \(error)")
      }
    }
    lines += try run.problems.map { "  \($0)" }
    for (outcome, word) in [(\RecordedOutcome.isSkipped, "skipped"), (\.isSucceeded, "succeeded")] {
      let names = run.pebbles.filter { $0.outcome[keyPath: outcome] }.map(\.name)
      if !names.isEmpty { lines.append("  \(word): \(names.joined(separator: ", "))") }
    }
    if run.cancellation != nil {
      let count = run.shutdown?.teardowns.count ?? 0
      lines.append("it was cancelled, and \(count) pebbles were torn down")
    }
    return lines + ["it took \(run.makespan.brief)"]
  }
}

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Asks a worker how far a run is.")

  @OptionGroup var server: ServerOptions

  @Argument(help: "The name of the run.")
  var id = "nightly"

  func run() async throws {
    try await server.connected { [id] temporal in
      print("\(id): \(try await TemporalRun(temporal, id: id).status())")
    }
  }
}

struct CancelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancels a run.")

  @OptionGroup var server: ServerOptions

  @Argument(help: "The name of the run.")
  var id = "nightly"

  func run() async throws {
    try await server.connected { [id] temporal in
      try await TemporalRun(temporal, id: id).cancel("fleet cancel")
      say("asked \(id) to end; `fleet status \(id)` tells how far it is")
    }
  }
}

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Waits for the end of a run, and writes it down for the inspector page and `pond`.")

  @OptionGroup var server: ServerOptions

  @Argument(help: "The name of the run.")
  var id = "nightly"

  @Option(
    help:
      "The file: a page if it ends with .html, otherwise JSON. By default in a temporary folder."
  )
  var output: String?

  func run() async throws {
    let run = try await server.connected { [id] temporal in
      try await TemporalRun(temporal, id: id).report()
    }
    let output =
      output
      ?? FileManager.default.temporaryDirectory
      .appending(path: "\(id.replacing("/", with: "-")).html").path
    let text = output.hasSuffix(".html") ? run.page() : run.json()
    try Self.write(text, to: URL(filePath: output).resolvingSymlinksInPath())
    print("written to \(output)")
  }

  /// Writes text to a file. An existing file is replaced, unless it is a pipe or a device.
  private static func write(_ text: String, to file: URL) throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    let isFile = (attributes?[.type] as? FileAttributeType ?? .typeRegular) == .typeRegular
    do {
      try Data(text.utf8).write(to: file, options: isFile ? .atomic : [])
    } catch {
      throw FleetError("nothing is written: \(error.sentence)")
    }
  }
}

/// Prints a line without buffering, so that the line can be read while the program is running, even
/// if the output is a file.
private func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
