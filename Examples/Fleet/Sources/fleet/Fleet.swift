import ArgumentParser
import Foundation
import Logging
import Nightly
import Pebbles
import PebblesTemporal

/// A program that runs a pond on many machines.
@main
struct Fleet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Runs the nightly load of a launch history as a durable workflow on Temporal.",
    version: "fleet \(Pond.packageVersion)",
    subcommands: [
      WorkerCommand.self, StartCommand.self, StatusCommand.self, CancelCommand.self,
      RecordCommand.self, KillTestCommand.self, FiguresCommand.self, FiguresWorkerCommand.self,
    ])
}

/// The options for the server, the connection, the task queue and the log.
struct ServerOptions: ParsableArguments {
  @Option(help: "The address of the server's frontend; TEMPORAL_ADDRESS in the environment.")
  var address = Self.environment["TEMPORAL_ADDRESS"] ?? "127.0.0.1:7233"

  @Option(help: "The namespace, which must exist; TEMPORAL_NAMESPACE in the environment.")
  var namespace = Self.environment["TEMPORAL_NAMESPACE"] ?? "default"

  @Option(help: "The queue that workers and runs meet at.")
  var queue = Temporal.usualTaskQueue

  @Flag(help: "Encrypt the connection; each of the following --tls options implies it.")
  var tls = false

  @Option(help: "The file with the certificate authorities that the client trusts, in PEM.")
  var tlsCaPath: String?

  @Option(help: "The file with the certificate of this client, in PEM; with --tls-key-path.")
  var tlsCertPath: String?

  @Option(help: "The file with the key of that certificate, in PEM.")
  var tlsKeyPath: String?

  @Option(help: "The name that the certificate of the server must have.")
  var tlsServerName: String?

  @Option(help: "The level of the log on standard error; debug also shows what each run waits for.")
  var logLevel = Logger.Level.info

  private static let environment = ProcessInfo.processInfo.environment

  func validate() throws {
    if queue.isEmpty { throw ValidationError("--queue is empty.") }
    if (tlsCertPath == nil) != (tlsKeyPath == nil) {
      throw ValidationError("--tls-cert-path and --tls-key-path go together.")
    }
  }

  private var encryption: TemporalTLS? {
    let identity = tlsCertPath.flatMap { certificate in
      tlsKeyPath.map { TemporalTLS.Identity(certificateChain: certificate, privateKey: $0) }
    }
    let encryption = TemporalTLS(
      trustRoots: tlsCaPath, identity: identity, serverName: tlsServerName)
    return tls || encryption != TemporalTLS() ? encryption : nil
  }

  /// The arguments with which another process can connect to the same server.
  var arguments: [String] {
    let options: [(name: String, value: String?)] = [
      ("--address", address), ("--namespace", namespace), ("--tls-ca-path", tlsCaPath),
      ("--tls-cert-path", tlsCertPath), ("--tls-key-path", tlsKeyPath),
      ("--tls-server-name", tlsServerName),
    ]
    return options.flatMap { name, value in value.map { [name, $0] } ?? [] }
      + (tls ? ["--tls"] : [])
  }

  /// Connects to the server and calls `body`. The API key, if any, is read from the environment
  /// rather than from an argument, so that other users of the machine cannot see it.
  func connected<Result: Sendable>(
    _ body: @Sendable (Temporal) async throws -> Result
  ) async throws -> Result {
    var options = Temporal.Options()
    options.namespace = namespace
    options.tls = encryption
    options.logger = Logger(label: "fleet") { _ in StreamLogHandler.standardError(label: "fleet") }
    options.logger.logLevel = logLevel
    options.apiKey = Self.environment["TEMPORAL_API_KEY"]
    return try await Temporal.connected(to: TemporalAddress(address), options, body)
  }
}

/// The error of a failed command.
struct FleetError: Error, CustomStringConvertible {
  /// The reason, as a sentence.
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ValidationError {
  /// Throws an error if the value of an option is too small.
  static func refuse(_ option: String, _ value: Int, below least: Int) throws {
    guard value < least else { return }
    throw ValidationError("\(option) is \(value), but must be \(least) or more.")
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// The options of the load. All workers must use the same folder.
struct LoadOptions: ParsableArguments {
  @Option(help: "The folder for the loaded launches, shared by all workers.")
  var folder = FileManager.default.temporaryDirectory.appending(path: "nightly-launches").path

  @Option(help: "How long each step of this worker takes at least, in milliseconds.")
  var pace = 0

  func load() throws -> NightlyLoad {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw FleetError("nothing can be stored: \(error.sentence)")
    }
    return NightlyLoad(
      try .bundled(), LaunchStore(folder: URL(filePath: folder)), pace: .milliseconds(pace))
  }
}
