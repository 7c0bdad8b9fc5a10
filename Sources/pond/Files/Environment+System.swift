#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Environment {
  /// That of this process.
  static var ofProcess: Environment {
    var variables: [String: String] = [:]
    for name in ["NO_COLOR", "TERM", "COLUMNS", "GITHUB_STEP_SUMMARY"] {
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

/// Files of the system, read and written without more of them in memory than needed.
enum SystemFile {
  /// Reads a file, or standard input for `-`, up to one byte more than so many, so that whoever
  /// reads it sees that it is too long.
  static func read(_ path: String, atMost most: Int) throws(Problem) -> [UInt8] {
    try checkName(path)
    let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Problem("cannot read \(Arguments.shown(path)): \(reason())") }
    defer { if path != "-" { close(file) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while bytes.count <= most {
      let wanted = min(chunk.count, most - bytes.count + 1)
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

  /// The words of a command line have been repaired where they are not UTF-8, and a repaired name
  /// is that of another file.
  static func checkName(_ path: String) throws(Problem) {
    if path.unicodeScalars.contains("\u{FFFD}") {
      throw Problem("the name of the file \(Arguments.shown(path)) is not UTF-8")
    }
  }

  /// Writes to standard output. A reader that has gone away, as `head` does, has what it wanted.
  static func print(_ text: String) throws(Problem) {
    guard !write(text, to: STDOUT_FILENO), errno != EPIPE else { return }
    throw Problem("cannot write standard output: \(reason())")
  }

  /// Says something on standard error. If that is not possible, there is nowhere left to complain.
  static func complain(_ text: String) { _ = write(text, to: STDERR_FILENO) }

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

  /// Whether a call has failed only for now: interrupted, or because the file is one that does not
  /// wait, as a pipe is that is shared with some programs. Waits for that then.
  private static func isWorthTryingAgain(_ file: Int32, _ readiness: Int32) -> Bool {
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return errno == EINTR }
    var request = pollfd(fd: file, events: Int16(readiness), revents: 0)
    return poll(&request, 1, -1) >= 0 || errno == EINTR
  }

  /// The system's words for an error, that of the last call if no other is given.
  static func reason(_ error: Int32 = errno) -> String {
    let words = String(cString: strerror(error))
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}

// Inside of `SystemFile` its own functions would be meant.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
