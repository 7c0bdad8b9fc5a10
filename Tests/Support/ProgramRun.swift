import Foundation

/// A real program, run to its end.
package struct ProgramRun {
  package let status: Int32
  package let isExit: Bool
  package let output: String
  package let error: String

  package enum OutputTarget: Sendable {
    case file
    case device(String)
    /// A pipe that nothing reads any more.
    case closedPipe
    /// A pipe that is full sooner than it is read, and then does not wait.
    case nonBlockingPipe
  }

  /// Runs a program. What it writes goes through files, which do not fill up as pipes do.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - arguments: What it is told.
  ///   - input: The file that is its standard input; none if not given.
  ///   - target: Where its standard output goes.
  ///   - workingDirectory: Where it runs; where the test does, if not given.
  ///   - environment: What is added to the environment of the test, in which sanitizers and
  ///     profilers live.
  /// - Throws: What the system says if the program cannot be run.
  package init(
    of program: URL, _ arguments: [String], input: String? = nil,
    output target: OutputTarget = .file, workingDirectory: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    let folder = try TemporaryFolder()
    let (outputFile, errorFile) = (try folder.write("", to: "out"), try folder.write("", to: "err"))
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, ours in
      ours
    }
    if let workingDirectory {
      process.currentDirectoryURL = URL(fileURLWithPath: workingDirectory)
    }
    var reading: Pipe?
    switch target {
    case .file: process.standardOutput = FileHandle(forWritingAtPath: outputFile)
    case .device(let path): process.standardOutput = FileHandle(forWritingAtPath: path)
    case .closedPipe:
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe.fileHandleForWriting
    case .nonBlockingPipe:
      let pipe = Pipe()
      let end = pipe.fileHandleForWriting.fileDescriptor
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
      process.standardOutput = pipe.fileHandleForWriting
      reading = pipe
    }
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    process.standardInput =
      input.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
    try process.run()
    try reading?.fileHandleForWriting.close()
    let piped = try reading?.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()

    status = process.terminationStatus
    isExit = process.terminationReason == .exit
    output = try folder.text(of: "out") + String(decoding: piped, as: UTF8.self)
    error = try folder.text(of: "err")
  }

  /// A program of this package, which is built beside the bundle of its tests.
  package static func executable(_ name: String) -> URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent(name)
    #else
    return Bundle.main.bundleURL.appendingPathComponent(name)
    #endif
  }

  /// Where a program is that is called by its name alone; `nil` if it is not installed.
  package static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }
}
