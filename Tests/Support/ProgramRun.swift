import Foundation

/// The result of a real program that was run to its end.
package struct ProgramRun {
  package let status: Int32
  package let isExit: Bool
  package let output: String
  package let error: String

  package enum OutputTarget: Sendable {
    case file
    case device(String)
    /// A pipe whose reading end is closed.
    case closedPipe
    /// A pipe that is read only after the program has been started. If the pipe is full, writing to
    /// it fails instead of waiting.
    case nonBlockingPipe
  }

  /// Runs a program and waits for its end. By default its output goes through files, because pipes
  /// can fill up.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - arguments: The arguments of the program.
  ///   - input: The path of the file to use as standard input; `nil` for no input.
  ///   - target: The target of the standard output.
  ///   - workingDirectory: The working directory of the program; `nil` for that of the test.
  ///   - environment: The variables to add to the environment of the test. The program inherits
  ///     that environment, because sanitizers and profilers need it.
  /// - Throws: The error of the system if the program cannot be run.
  package init(
    of program: URL, _ arguments: [String], input: String? = nil,
    output target: OutputTarget = .file, workingDirectory: String? = nil,
    environment: [String: String] = [:]
  ) throws {
    let number = Watch.shared.begin("the program \(program.lastPathComponent)")
    defer { Watch.shared.end(number) }
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
    process.standardError = FileHandle(forWritingAtPath: errorFile)
    process.standardInput =
      input.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
    var reading: Pipe?
    try Process.startingAlone {
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
      try process.run()
      try reading?.fileHandleForWriting.close()
    }
    let piped = try reading?.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()

    status = process.terminationStatus
    isExit = process.terminationReason == .exit
    output = try folder.text(of: "out") + String(decoding: piped, as: UTF8.self)
    error = try folder.text(of: "err")
  }

  /// Returns the location of a program of this package, which is built next to the bundle of its
  /// tests.
  package static func executable(_ name: String) -> URL {
    #if os(macOS)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent(name)
    #else
    return Bundle.main.bundleURL.appendingPathComponent(name)
    #endif
  }

  /// Returns the path of a program in one of the folders of `PATH`; `nil` if it is not installed.
  package static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }
}
