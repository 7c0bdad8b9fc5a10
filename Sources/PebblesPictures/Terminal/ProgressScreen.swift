#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An output that can show progress: a terminal, the log of a GitHub workflow, or any other stream.
package struct ProgressScreen: Sendable {
  package enum Kind: Sendable {
    case terminal(isColored: Bool)
    case github
    case plain
  }

  package let kind: Kind

  /// A closure that returns the current size of the screen, or a default size if it is unknown.
  package let size: @Sendable () -> TerminalSize

  /// A closure that writes an entire string to the screen.
  package let write: @Sendable (String) -> Void

  /// Creates a screen of the given kind.
  package init(
    kind: Kind, size: @escaping @Sendable () -> TerminalSize,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.kind = kind
    self.size = size
    self.write = write
  }

  /// The standard error stream of this process.
  package static var standardError: ProgressScreen {
    ProgressScreen(kind: kindOfStandardError, size: sizeOfStandardError) { text in
      var text = text
      text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
          let count = systemWrite(STDERR_FILENO, rest.baseAddress, rest.count)
          if count < 0, errno == EINTR { continue }
          // A failure to show progress must not disturb the run.
          guard count > 0 else { return }
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
      }
    }
  }

  private static var kindOfStandardError: Kind {
    if isatty(STDERR_FILENO) == 1, variable("TERM") != "dumb" {
      return .terminal(isColored: variable("NO_COLOR").isEmpty)
    }
    return variable("GITHUB_ACTIONS") == "true" ? .github : .plain
  }

  private static func sizeOfStandardError() -> TerminalSize {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return TerminalSize(columns: 80, rows: 24) }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  private static func variable(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }
}

// Inside `ProgressScreen`, the name `write` refers to its property.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
