#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Environment {
  /// The environment of this process.
  static var ofProcess: Environment {
    var variables: [String: String] = [:]
    for name in ["NO_COLOR", "TERM", "COLUMNS", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    var size = winsize()
    let isSized = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Environment(
      variables: variables, isTerminal: isatty(STDOUT_FILENO) == 1,
      columns: isSized ? Int(size.ws_col) : nil, isSameFile: SystemFile.isSame
    ) { path, most throws(Problem) in
      try SystemFile.read(path, atMost: most)
    }
  }
}

/// Functions that read files, and write to files and to the standard streams, through system calls.
enum SystemFile {
  /// Reads a file, or standard input for `-`. The closure `most` receives the bytes read so far and
  /// returns the maximum length. If the file is longer, one byte more is read, so that the caller
  /// can see that the file is too long.
  static func read(_ path: String, atMost most: ([UInt8]) -> Int) throws(Problem) -> [UInt8] {
    try checkName(path)
    let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Problem("cannot read \(Arguments.shown(path)): \(reason())") }
    defer { if path != "-" { close(file) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let wanted = min(chunk.count, most(bytes) + 1 - bytes.count)
      guard wanted > 0 else { break }
      let count = chunk.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, wanted) }
      if count < 0, isWorthTryingAgain(file, POLLIN) { continue }
      guard count >= 0 else {
        throw Problem("cannot read \(Arguments.shown(path)): \(reason())")
      }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Throws an error if a file name was not valid UTF-8. In that case, Swift has inserted
  /// replacement characters, and the name no longer refers to the file.
  static func checkName(_ path: String) throws(Problem) {
    if path.unicodeScalars.contains("\u{FFFD}") {
      throw Problem("the name of the file \(Arguments.shown(path)) is not UTF-8")
    }
  }

  /// Writes to standard output. A closed pipe is not an error, because programs such as `head` stop
  /// reading when they have read enough.
  static func print(_ text: String) throws(Problem) {
    guard !write(text, to: STDOUT_FILENO), errno != EPIPE else { return }
    throw Problem("cannot write standard output: \(reason())")
  }

  /// Writes to standard error. An error is ignored, because there is no place left to report it.
  static func printError(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  static func write(_ text: String, to file: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = systemWrite(file, rest.baseAddress, rest.count)
        if count < 0, isWorthTryingAgain(file, POLLOUT) { continue }
        guard count >= 0 else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
      return true
    }
  }

  /// Returns whether a failed call should be repeated, because it was interrupted or because the
  /// file (a non-blocking pipe, for example) was not ready. In the latter case, waits until the
  /// file is ready before returning.
  private static func isWorthTryingAgain(_ file: Int32, _ readiness: Int32) -> Bool {
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return errno == EINTR }
    var request = pollfd(fd: file, events: Int16(readiness), revents: 0)
    return poll(&request, 1, -1) >= 0 || errno == EINTR
  }

  /// Returns the system's message for an error, by default the error of the last system call.
  static func reason(_ error: Int32 = errno) -> String {
    let words = String(cString: strerror(error))
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}

// Inside of `SystemFile`, `read` would mean its own function.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
