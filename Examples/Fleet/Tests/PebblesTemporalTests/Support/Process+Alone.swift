import Foundation

private let starts = NSLock()

extension Process {
  /// Calls a closure that starts a process, while no other such closure runs.
  ///
  /// Foundation detects the end of a process by a socket whose other end is closed, and a pipe ends
  /// when its writing end is closed. A process that another thread starts at the same moment
  /// inherits both ends. If that process is a browser, for example, they stay open until the
  /// browser ends. All processes must therefore be started through this method. A pipe that is read
  /// to its end must be created in the closure, which must also close the writing end.
  static func startingAlone<Value>(_ start: () throws -> Value) rethrows -> Value {
    try starts.withLock(start)
  }

  /// Starts the process while no other process is being started.
  func runAlone() throws { try Self.startingAlone { try run() } }
}
