import Foundation

/// The real `launches`, run as a process, each time with a cache of its own.
struct Program {
  struct Ending {
    let status: Int32
    let isExit: Bool
    let output: String
    let error: String
  }

  enum OutputTarget {
    case file
    case device(String)
    /// A pipe that nobody reads any more.
    case closedPipe
  }

  let folder: TemporaryFolder

  /// Runs it to its end. What it writes goes through files, which do not fill up as pipes do.
  func run(
    _ arguments: [String], output: OutputTarget = .file, workingDirectory: String? = nil
  ) throws -> Ending {
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = arguments
    // The rest of the environment stays, as sanitizers and profilers live in it.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_CACHE_HOME": folder.file("cache"), "HOME": folder.path]
    ) { _, ours in ours }
    if let workingDirectory {
      process.currentDirectoryURL = URL(fileURLWithPath: workingDirectory)
    }
    let outputFile = try folder.write("", to: "output")
    let errorFile = try folder.write("", to: "error")
    switch output {
    case .file: process.standardOutput = FileHandle(forWritingAtPath: outputFile)
    case .device(let path): process.standardOutput = FileHandle(forWritingAtPath: path)
    case .closedPipe:
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe.fileHandleForWriting
    }
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus, isExit: process.terminationReason == .exit,
      output: try folder.text(of: "output"), error: try folder.text(of: "error"))
  }

  /// The program is built beside the bundle of its tests.
  static var executable: URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent("launches")
    #else
    return Bundle.main.bundleURL.appendingPathComponent("launches")
    #endif
  }
}
