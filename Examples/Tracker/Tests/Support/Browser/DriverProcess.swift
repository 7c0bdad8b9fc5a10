import Foundation

/// A running `chromedriver`, on a port that it has chosen.
package struct DriverProcess: Sendable {
  let port: UInt16
  private let identifier: Int32
  private let hasEnded: AsyncStream<Void>
  private let folder: URL

  /// Starts a driver.
  ///
  /// The driver takes a port that is free on IPv6, and then the same port on IPv4. If another
  /// program is using the port on IPv4, the driver ends, and another one is started.
  static func start(path: String) async throws -> DriverProcess {
    for _ in 0..<10 {
      do {
        return try await DriverProcess(path: path)
      } catch let refusal as WebDriver.Refusal where refusal.description.contains("not available") {
        continue
      }
    }
    return try await DriverProcess(path: path)
  }

  private init(path: String) async throws {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["--port=0"]
    // What the browser leaves behind goes with the folder.
    folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": folder.path()]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let (hasEnded, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    let (chunks, reader) = AsyncStream.makeStream(of: Data.self)
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      guard data.isEmpty else { return _ = reader.yield(data) }
      handle.readabilityHandler = nil
      reader.finish()
    }
    try process.runAlone()
    self.hasEnded = hasEnded
    identifier = process.processIdentifier
    port = try await Self.port(announcedIn: chunks)
  }

  private static func port(announcedIn chunks: AsyncStream<Data>) async throws -> UInt16 {
    var text = ""
    for await chunk in chunks {
      text += String(decoding: chunk, as: UTF8.self)
      guard let match = text.firstMatch(of: /on port (\d+)\./), let port = UInt16(match.1) else {
        continue
      }
      return port
    }
    throw WebDriver.Refusal(description: "the driver ended: \(text)")
  }

  func end() async {
    // It inherits the signals that the thread of a task blocks, all that can be.
    kill(identifier, SIGKILL)
    for await _ in hasEnded {}
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the path of a program with one of the given names in a folder of `PATH`; `nil` if
  /// there is none.
  package static func path(of names: String...) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first(where: FileManager.default.isExecutableFile)
  }
}
