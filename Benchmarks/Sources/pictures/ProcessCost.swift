import Foundation

/// The time and the memory that a process used.
struct ProcessCost {
  let seconds: Double
  let megabytes: Double

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(of program: String, _ words: [String]) throws {
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let start = ContinuousClock.now
    var process: pid_t = 0
    let error = posix_spawn(&process, program, &actions, nil, arguments, environ)
    guard error == 0 else {
      throw Failure(description: "\(program): \(String(cString: strerror(error)))")
    }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, 0, &usage) == process, status == 0 else {
      throw Failure(description: "\(program) \(words.first ?? "") ended with the status \(status)")
    }
    seconds = (ContinuousClock.now - start) / .seconds(1)
    // The unit is kilobytes on Linux, and bytes on Apple's systems.
    #if os(Linux)
    megabytes = Double(usage.ru_maxrss) / 1_024
    #else
    megabytes = Double(usage.ru_maxrss) / 1_048_576
    #endif
  }
}
