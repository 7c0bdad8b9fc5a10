import Foundation

/// A real terminal without a window: a pane of `tmux`, in which a shell reads the input.
package final class Terminal {
  package static let howToInstall = "tmux is not installed: `apt-get install tmux` adds it"

  private static let tmux = ProgramRun.path(of: "tmux")
  package static let isInstalled = tmux != nil

  private let server = Process()

  /// The working directory of the shell, and the folder for all files.
  package let folder: TemporaryFolder

  package struct Silence: Error, CustomStringConvertible {
    package let description: String
  }

  /// Calls a closure with a new terminal, and ends the terminal afterwards.
  package static func using(
    columns: Int = 80, rows: Int = 24, _ test: (Terminal) throws -> Void
  ) throws {
    let terminal = try Terminal(columns: columns, rows: rows)
    defer { terminal.end() }
    try test(terminal)
  }

  private init(columns: Int, rows: Int) throws {
    folder = try TemporaryFolder()
    // A shell without any settings of the user, so that its prompt is known.
    let shell = "exec env PS1='$ ' ENV= HISTFILE= sh"
    // `-D` keeps the server in the foreground. A server in the background would keep the pipes open
    // by which its end is awaited.
    server.executableURL = URL(filePath: Self.tmux ?? "")
    server.arguments = ["-D"] + options
    server.environment = ProcessInfo.processInfo.environment.merging(Self.environment) { $1 }
    server.standardError = FileHandle.nullDevice
    try Self.withSignals { try server.runAlone() }
    let end = ContinuousClock.now + Self.patience
    let size = ["-x", "\(columns)", "-y", "\(rows)"]
    // Repeated until the server listens.
    while (try? tmux(["new-session", "-d"] + size + ["-c", folder.path, shell])) == nil {
      guard ContinuousClock.now < end else { throw Silence(description: "tmux does not start") }
    }
    try tmux("set-option", "-g", "window-size", "manual")
    try wait("a prompt") { $0.hasPrefix("$") }
  }

  private func end() {
    _ = try? tmux("kill-server")
    kill(server.processIdentifier, SIGKILL)
  }

  private static let environment = [
    "TMUX": "", "LC_ALL": "C.UTF-8", "GITHUB_ACTIONS": "", "NO_COLOR": "",
  ]

  /// The longest time to wait for something to appear.
  private static let patience = Duration.seconds(60)

  private var options: [String] { ["-u", "-f", "/dev/null", "-S", folder.file("tmux")] }

  @discardableResult
  private func tmux(_ words: String...) throws -> String { try tmux(words) }

  private func tmux(_ words: [String]) throws -> String {
    let run = try ProgramRun(
      of: URL(filePath: Self.tmux ?? ""), ["-N"] + options + words, environment: Self.environment)
    guard run.status == 0 else { throw Silence(description: "tmux \(words): \(run.error)") }
    return run.output
  }

  /// Calls a closure with no signal blocked. Threads that run tasks block all signals, and
  /// processes inherit this, so Ctrl-C would otherwise do nothing in the terminal.
  private static func withSignals<Value>(_ action: () throws -> Value) rethrows -> Value {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try action()
  }

  // MARK: What a person does

  package func type(_ line: String) throws {
    try tmux("send-keys", "-l", line)
    try wait("what was typed") { !Self.endsInPrompt($0) }
    try tmux("send-keys", "Enter")
  }

  /// Presses a key, such as `C-c`.
  package func press(_ key: String) throws { try tmux("send-keys", key) }

  package func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  // MARK: What there is to be seen

  /// The visible text, without spaces at the ends of lines.
  package var screen: String {
    get throws { try tmux("capture-pane", "-p") }
  }

  /// The visible text and the text that has scrolled out of sight. Lines that were wrapped are
  /// joined.
  package var everything: String {
    get throws {
      try tmux("capture-pane", "-p", "-J", "-S", "-").replacing(/\ +\n/, with: "\n")
    }
  }

  /// The visible text with the escape sequences for colours.
  package var styled: String {
    get throws { try tmux("capture-pane", "-p", "-e") }
  }

  /// Waits until the visible text meets a condition, and returns this text. Throws `Silence` if
  /// that takes longer than `patience`; `what` is named in the error.
  @discardableResult
  package func wait(
    _ what: String, until isSo: (String) throws -> Bool
  ) throws -> String {
    let end = ContinuousClock.now + Self.patience
    while true {
      let seen = try screen
      if try isSo(seen) { return seen }
      guard ContinuousClock.now < end else {
        throw Silence(description: "\(what) did not come; there is\n\(seen)")
      }
    }
  }

  /// Waits until the shell shows a prompt below all output.
  package func waitForPrompt() throws {
    try wait("a prompt", until: Self.endsInPrompt)
  }

  private static func endsInPrompt(_ screen: String) -> Bool {
    screen.split(separator: "\n").last.map { $0 == "$" || $0 == "$ " } ?? false
  }
}
