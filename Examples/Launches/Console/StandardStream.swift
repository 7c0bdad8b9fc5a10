import Foundation

/// Standard output or standard error.
struct StandardStream: Sendable {
  static let output = StandardStream(number: STDOUT_FILENO, name: "standard output")
  static let error = StandardStream(number: STDERR_FILENO, name: "standard error")

  private let number: Int32
  private let name: String

  var isTerminal: Bool { isatty(number) == 1 }

  /// Writes all of the text, now. A reader that has gone away, as `head` does, has what it wanted:
  /// the text is dropped, which is no error.
  func write(_ text: String) throws(FileError) {
    let code = writeAll(Array(text.utf8), to: number)
    guard code == 0 || code == EPIPE else {
      throw FileError(path: name, action: "write", code: code)
    }
  }

  /// To be called before anything else is opened or written.
  static func prepare() {
    // A write to a closed pipe then gives an error instead of ending the program unasked.
    signal(SIGPIPE, SIG_IGN)
    // A program started without one of its streams would get that number for the next file it
    // opens, and then print into it. The null device, open for reading, turns writes into errors.
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
