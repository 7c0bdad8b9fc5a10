import Foundation
import Logging
import Pebbles
import Synchronization
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for the operators' log.
@Suite(.timeLimit(.minutes(5))) struct LogTests {
  private let id = UUID().uuidString

  @Test(.needsTemporal) func aRunInWhichEverythingFailsOnceIsTold() async throws {
    let pond = Pond("told")
    let calls = Mutex<Set<String>>([])
    for name in ["a", "b"] {
      pond.pebble(name, .retry(.backoff(attempts: 2, initial: .milliseconds(10)))) {
        if calls.withLock({ $0.insert(name).inserted }) { throw Failing() }
      }
    }
    pond.pebble("c") { throw CocoaError(.fileReadNoSuchFile) }
    let lines = LogLines()
    var options = Temporal.Options()
    options.logger = lines.logger(.info)
    var run = TemporalRunOptions()
    run.taskQueue = id

    let address = try await TemporalServer.shared.address()
    try await Temporal.connected(to: address, options) { [id, run] temporal in
      let worker = try TemporalWorker(temporal, ponds: [pond], taskQueue: run.taskQueue)
      let work = Task { try await worker.run() }
      _ = try await pond.run(on: temporal, id: id, run)
      work.cancel()
      try await work.value
    }

    let told = lines.all
    for expected in [
      "info: the run has come to this worker", "info: a is called, for attempt 2",
      "and is called again in", "info: b succeeded in", "warning: c failed after",
      "error: the run has failed: ",
    ] {
      #expect(told.contains { $0.contains(expected) }, "\(expected): \(told)")
    }
    #expect(!told.contains { $0.contains("Error Domain") })
  }

  @Test func anErrorOfSeveralLinesIsToldOnOne() {
    let lines = LogLines()
    var call = TemporalPollActivityTaskQueueResponse()
    call.activityID = "fetch"
    let log = BodyLog(lines.logger(.info), call)
    let failure = TemporalFailure.application("no\nroute", type: "Failing", isFinal: true)

    log.ended(.failed(failure))
    log.ended(.misfit("no\nkey", nil))

    #expect(lines.all.count == 2)
    #expect(lines.all.first?.hasSuffix(#": no\nroute"#) == true)
    #expect(lines.all.last?.hasSuffix(#": no\nkey"#) == true)
  }

  /// Checks that the log reports an unreachable server immediately, before any call is abandoned.
  @Test func aServerThatIsNotThereIsNamedAtOnce() async throws {
    let address = TemporalAddress(host: "127.0.0.1", port: try TemporalServer.freePort())
    let lines = LogLines()
    var options = Temporal.Options()
    options.logger = lines.logger(.info)

    try await Temporal.connected(to: address, options) { [id] temporal in
      let ask = Task { try await TemporalRun(temporal, id: id).status() }
      for await line in lines.told {
        #expect(line.hasPrefix("warning: the server at \(address) does not answer: "))
        #expect(line.contains("Connection refused"))
        break
      }
      ask.cancel()
      _ = await ask.result
    }

    #expect(lines.all.count == 1)
  }
}

/// A log handler that keeps the logged lines.
private final class LogLines: Sendable {
  let told: AsyncStream<String>
  private let tell: AsyncStream<String>.Continuation
  private let lines = Mutex<[String]>([])

  init() {
    (told, tell) = AsyncStream.makeStream()
  }

  var all: [String] { lines.withLock { $0 } }

  func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "test") { _ in Handler(lines: self) }
    logger.logLevel = level
    return logger
  }

  private func add(_ line: String) {
    lines.withLock { $0.append(line) }
    tell.yield(line)
  }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.add("\(event.level): \(event.message)")
    }
  }
}
