import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import TrackerCore

/// A program that measures the cost of the pond by comparing the tracker with a counterpart that
/// has no pond.
@main
struct Figures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "figures",
    abstract: "Measures the cost of the tracker's pond.",
    discussion: """
      In turns, and each of both first in every other round: what is compared meets the same \
      machine. Run it with -c release, on a machine that does nothing else.
      """)

  @Option(help: "How many rounds of requests, at least 1.")
  var requestRounds = 21

  @Option(help: "How many requests a round has, at least 50: so many are sent at a time.")
  var requests = 4_000

  @Option(help: "How many rounds of boots, at least 1.")
  var bootRounds = 61

  static let logger = Logger(label: "figures") { _ in SwiftLogNoOpLogHandler() }

  func validate() throws {
    guard requestRounds > 0, bootRounds > 0 else {
      throw ValidationError("There has to be at least one round.")
    }
    guard requests >= Requests.visitors else {
      throw ValidationError("A round has at least \(Requests.visitors) requests.")
    }
  }

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "figures-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    print("before: \(Machine.description)")
    let figures = try await Self.servingFeed { [requests, requestRounds, bootRounds] feed in
      let boots = Boots(feed: feed, folder: folder)
      let answers = Requests(boots: boots, count: requests)
      return [
        Figure(
          "requests per second of /launches", "handler alone",
          try await answers.compared(rounds: requestRounds), target: .atLeast(0.97)),
        Figure(
          "ms from the start to ready", "by hand", try await boots.compared(rounds: bootRounds),
          target: .atMost(1.02)),
        Figure("lines of the boot", "by hand", try Lines.compared(), target: nil),
      ]
    }
    print("after: \(Machine.description)\n")
    for figure in figures { print(figure) }
  }

  /// Calls a closure with the address of a feed that serves the bundled data.
  private static func servingFeed<Value: Sendable>(
    _ body: @escaping @Sendable (String) async throws -> Value
  ) async throws -> Value {
    let (addresses, address) = AsyncStream.makeStream(of: String.self)
    return try await serving(
      try DemoFeed().server(logger: logger) { address.yield($0) }
    ) {
      guard let address = await addresses.first(where: { _ in true }) else {
        throw CancellationError()
      }
      return try await body(address)
    }
  }

  /// Runs a body while a server runs.
  static func serving<Value: Sendable>(
    _ server: any Service, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let group = ServiceGroup(services: [server], logger: logger)
    async let served: Void = group.run()
    let result = await Result.of { try await body() }
    await group.triggerGracefulShutdown()
    try await served
    return try result.get()
  }
}

/// The machine on which the figures are measured, and its load.
enum Machine {
  static var description: String {
    var loads = [0.0, 0, 0]
    getloadavg(&loads, 3)
    let load = String(format: "%.1f, %.1f, %.1f", loads[0], loads[1], loads[2])
    return """
      \(ProcessInfo.processInfo.activeProcessorCount) processors, load \(load) in the last 1, 5 \
      and 15 minutes\(build)
      """
  }

  #if DEBUG
  private static let build = "; a debug build, whose figures say little"
  #else
  private static let build = ""
  #endif
}
