import Foundation

/// A program that prints how long a process takes from its start until it first opens a file in a
/// directory.
///
/// The time is measured from outside, with inotify, so the measured program does not have to be
/// changed. Its first step must be to read a file in the directory, and no other process may read
/// this file.
@main
enum Startup {
  static let runs = 40

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2 else {
      fail("Usage: startup DIRECTORY PROGRAM [ARGUMENT ...]")
    }
    do {
      try printTime(of: arguments[1], Array(arguments.dropFirst(2)), opensIn: arguments[0])
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("\(reason)\n".utf8))
    exit(1)
  }

  private static func printTime(
    of program: String, _ arguments: [String], opensIn directory: String
  ) throws {
    var milliseconds: [Double] = []
    for _ in 0..<runs {
      milliseconds.append(try measure(program, arguments, directory))
    }
    milliseconds.sort()
    let quartiles = [1, 2, 3].map { rounded(milliseconds[runs * $0 / 4]) }
    print("\(quartiles[1]) ms (quartiles \(quartiles[0])..\(quartiles[2]), \(runs) runs)")
  }

  private static func rounded(_ value: Double) -> Double {
    (value * 100).rounded() / 100
  }

  private static func measure(
    _ program: String, _ arguments: [String], _ directory: String
  ) throws -> Double {
    let watch = try OpenWatch(directory: directory)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice

    let start = ContinuousClock.now
    try process.run()
    let isOpened = watch.waitForOpen(milliseconds: 5_000)
    let elapsed = ContinuousClock.now - start
    process.waitUntilExit()
    guard isOpened else { throw StartupError.neverOpened(program, directory) }
    return Double(elapsed.components.attoseconds) / 1e15
      + Double(elapsed.components.seconds) * 1e3
  }
}

enum StartupError: Error, CustomStringConvertible {
  case cannotWatch(String)
  case neverOpened(String, String)

  var description: String {
    switch self {
    case .cannotWatch(let directory):
      "Cannot watch \(directory) with inotify: does it exist, and is this Linux?"
    case .neverOpened(let program, let directory):
      "\(program) opened no file in \(directory) within 5 seconds."
    }
  }
}
