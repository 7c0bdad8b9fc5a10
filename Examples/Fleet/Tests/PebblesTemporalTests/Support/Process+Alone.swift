import Foundation

private let starts = NSLock()

extension Process {
  /// Calls a closure that starts a process, while no other such closure runs.
  ///
  /// Foundation notices that a process has ended when the other end of a socket is closed.
  /// Similarly, a pipe ends when its writing end is closed. A process that another thread starts at
  /// the same moment inherits these ends, and keeps them open until it ends itself. All processes
  /// must therefore be started through this method. If a pipe is read to its end, the closure must
  /// create the pipe, and must also close its writing end.
  static func startingAlone<Value>(_ start: () throws -> Value) rethrows -> Value {
    try starts.withLock(start)
  }

  /// Starts the process while no other process is being started.
  func runAlone() throws { try Self.startingAlone { try run() } }
}
