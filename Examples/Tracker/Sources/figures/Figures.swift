import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import Pebbles
import PebblesServer
import ServiceLifecycle
import TrackerCore

/// What the pond costs: `swift run -c release figures`.
@main
struct Figures {
  static let logger = Logger(label: "figures") { _ in SwiftLogNoOpLogHandler() }

  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("figures-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    try await serving { feed in
      let boots = try await Boots(feed: feed, folder: folder).compared(rounds: 60)
      print("from start to ready: \(boots)")
      let requests = try await Requests(feed: feed, folder: folder).compared(rounds: 20)
      print("GET /launches: \(requests)")
    }
  }

  /// Serves the data that comes with the package, for all that are compared.
  static func serving(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
    let pond = Pond("feed")
    let feed: Pebble<String> = pond.service("feed", .stopWithin(.seconds(5))) { ready in
      try await DemoFeed().run(until: ready, logger: logger) { ready($0) }
    }
    let run = try pond.start()
    try await body(try await run.report.value(of: feed))
    try await run.shutdown().check()
  }
}

/// Two series that were measured in turns, in milliseconds.
struct Comparison: CustomStringConvertible {
  let unit: String
  var pond: [Double] = []
  var other: [Double] = []

  var description: String {
    let (ours, theirs) = (median(pond), median(other))
    let ratios = zip(pond, other).map { $0 / $1 }
    return String(
      format: "%.2f %@ with a pond, %.2f without; ratio of medians %.3f, median of ratios %.3f",
      ours, unit, theirs, ours / theirs, median(ratios))
  }

  private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// From the start of a boot to open doors, with a new database each time.
struct Boots {
  let feed: String
  let folder: String

  func compared(rounds: Int) async throws -> Comparison {
    var comparison = Comparison(unit: "ms")
    for round in 0..<rounds + 5 {
      // Who goes first has it colder.
      var (ours, theirs) = (0.0, 0.0)
      if round.isMultiple(of: 2) {
        (ours, theirs) = (try await withPond("\(round)-a"), try await byHand("\(round)-b"))
      } else {
        (theirs, ours) = (try await byHand("\(round)-b"), try await withPond("\(round)-a"))
      }
      if round >= 5 {
        comparison.pond.append(ours)
        comparison.other.append(theirs)
      }
    }
    return comparison
  }

  func settings(_ name: String) -> Settings {
    var settings = Settings()
    settings.port = 0
    settings.database = "\(folder)/\(name).sqlite"
    settings.feed = feed
    return settings
  }

  private func withPond(_ name: String) async throws -> Double {
    let settings = settings(name)
    let start = ContinuousClock.now
    let boot = Boot(limits: Limits(), logger: Figures.logger) { settings }
    let run = try boot.pond.start()
    let report = try await run.report
    let took = ContinuousClock.now - start
    guard boot.site.isOpen else { throw UnhandledFigure(text: "\(report)") }
    try await run.shutdown().check()
    return took / .milliseconds(1)
  }

  private func byHand(_ name: String) async throws -> Double {
    let settings = settings(name)
    let (ready, isReady) = AsyncStream<ContinuousClock.Instant>.makeStream()
    let start = ContinuousClock.now
    let boot = ByHand(
      settings: settings, limits: Limits(), site: Site(), logger: Figures.logger,
      onReady: { isReady.yield(.now) })
    let group = ServiceGroup(services: [boot], logger: Figures.logger)
    async let ended: Void = group.run()
    var took = Duration.zero
    for await instant in ready {
      took = instant - start
      break
    }
    await group.triggerGracefulShutdown()
    try await ended
    return took / .milliseconds(1)
  }
}

struct UnhandledFigure: Error {
  let text: String
}

/// Requests for the list of launches: through the doors of the site, and straight to the same
/// handler.
struct Requests {
  let feed: String
  let folder: String

  private static let requests = 4_000
  private static let visitors = 50

  func compared(rounds: Int) async throws -> Comparison {
    let settings = Boots(feed: feed, folder: folder).settings("requests")
    let boot = Boot(limits: Limits(), logger: Figures.logger) { settings }
    let run = try boot.pond.start()
    _ = try await run.report
    let database = try TrackerDatabase.open(at: settings.database)
    let (listening, listens) = AsyncStream<Int>.makeStream()
    let plain = ServiceGroup(
      services: [
        Application(
          responder: Plain(answer: try makeSite(database, Site(), delay: .zero)),
          configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "tracker"),
          onServerRunning: { listens.yield($0.localAddress?.port ?? 0) }, logger: Figures.logger)
      ], logger: Figures.logger)
    async let ended: Void = plain.run()
    var ports = listening.makeAsyncIterator()
    guard let ours = boot.site.port, let theirs = await ports.next() else {
      throw UnhandledFigure(text: "no port")
    }

    var comparison = Comparison(unit: "requests/s")
    for round in 0..<rounds + 2 {
      let order = round.isMultiple(of: 2) ? [ours, theirs] : [theirs, ours]
      var rates: [Int: Double] = [:]
      for port in order { rates[port] = try await rate(of: port) }
      if round >= 2, let first = rates[ours], let second = rates[theirs] {
        comparison.pond.append(first)
        comparison.other.append(second)
      }
    }
    await plain.triggerGracefulShutdown()
    try await ended
    try await run.shutdown().check()
    try database.close()
    return comparison
  }

  private struct Plain: HTTPResponder {
    let answer: Site.Responder

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
      try await answer(request, context)
    }
  }

  private func rate(of port: Int) async throws -> Double {
    let client = HTTPClient()
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.visitors {
        group.addTask {
          for _ in 0..<Self.requests / Self.visitors {
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/launches")
            let response = try await client.execute(request, timeout: .seconds(30))
            guard response.status == .ok else {
              throw UnhandledFigure(text: "\(response.status)")
            }
            _ = try await response.body.collect(upTo: 1 << 20)
          }
        }
      }
      try await group.waitForAll()
    }
    let took = ContinuousClock.now - start
    try await client.shutdown()
    return Double(Self.requests) / (took / .seconds(1))
  }
}
