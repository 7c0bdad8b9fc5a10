import Foundation

/// A program that is run in its own session, and whose output is read as it is written.
struct ChildProcess {
  enum End: Equatable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    /// The process was killed because it exceeded a time limit.
    case outOfTime
    /// The process wrote the awaited line, and was then killed if it had not ended.
    case stopped
  }

  let arguments: [String]
  var environment: [String: String] = [:]

  /// The time limit of the process, in seconds.
  var limit = 3600.0

  /// The time limit between two lines of output, in seconds.
  var silenceLimit = Double.infinity

  /// Runs the process to its end, or until `isEnough` returns `true` for a line of its output.
  func run(_ isEnough: (String) -> Bool = { _ in false }) throws -> End {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("no pipe: \(String(cString: strerror(errno)))") }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let process = try spawn(output: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    var lines = LineReader(ends[0])
    let start = ContinuousClock.now
    var lastLine = start
    while true {
      let new = lines.read(waiting: 50)
      if !new.isEmpty { lastLine = .now }
      let found = new.contains(where: isEnough)
      var status: Int32 = 0
      let isOver = waitpid(process, &status, WNOHANG) == process
      if isOver {
        let late = lines.read(waiting: 0).contains(where: isEnough)
        Self.endSession(of: process)
        if found || late { return .stopped }
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signaled(signal)
      }
      let isSilent = lastLine.duration(to: .now) / .seconds(1) > silenceLimit
      let isLate = isSilent || start.duration(to: .now) / .seconds(1) > limit
      guard found || isLate else { continue }
      Self.endSession(of: process)
      waitpid(process, &status, 0)
      return found ? .stopped : .outOfTime
    }
  }

  /// Runs the process, and returns its whole output if it succeeds.
  func output() throws -> String {
    var text: [String] = []
    let end = try run {
      text.append($0)
      return false
    }
    let all = text.joined(separator: "\n")
    guard end == .exited(0) else {
      throw Failure("`\(arguments.joined(separator: " "))` ended with \(end):\n\(all.suffix(2000))")
    }
    return all
  }

  /// Kills a process and all processes of its session, such as a browser that it has started, even
  /// those in separate process groups.
  private static func endSession(of process: pid_t) {
    kill(-process, SIGKILL)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for other in names.compactMap({ pid_t($0) }) where getsid(other) == process {
      kill(other, SIGKILL)
    }
  }

  /// The flag POSIX_SPAWN_SETSID, which is a macro that is not imported on every platform.
  #if os(Linux)
  private static let ofItsOwnSession: Int16 = 0x80
  #else
  private static let ofItsOwnSession: Int16 = 0x400
  #endif

  /// Starts the process in a new session, so that the processes that it leaves behind can be killed
  /// with it.
  private func spawn(output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    posix_spawn_file_actions_addclose(&actions, output)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Self.ofItsOwnSession)

    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var words = arguments.map { strdup($0) } + [nil]
    var variables = all.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      for word in words + variables { free(word) }
    }
    var process: pid_t = 0
    let error = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &variables)
    guard error == 0 else {
      throw Failure("cannot run \(arguments[0]): \(String(cString: strerror(error)))")
    }
    return process
  }
}

/// A reader of the lines that are written to a pipe.
private struct LineReader {
  private let file: Int32
  private var rest: [UInt8] = []

  init(_ file: Int32) { self.file = file }

  /// Returns the lines that have been written, after waiting for at most the given number of
  /// milliseconds.
  mutating func read(waiting time: Int32) -> [String] {
    var wanted = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, time) > 0 else { return [] }
    if wanted.revents & Int16(POLLIN) == 0 {
      // Closed by all: what is left is to wait for the end of the program.
      usleep(UInt32(time) * 1000)
    }
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Foundation.read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      rest += buffer[..<count]
    }
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let whole = rest[..<end]
    rest.removeSubrange(...end)
    return whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
