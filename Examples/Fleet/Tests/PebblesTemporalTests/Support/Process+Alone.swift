import Foundation

private let starts = NSLock()

extension Process {
  /// Calls a closure that starts a process, while no other such closure runs.
  ///
  /// Foundation detects the end of a process when the other end of a socket is closed. Similarly, a
  /// pipe ends when its writing end is closed. A process that another thread starts at the same
  /// moment inherits these ends of the socket and the pipe, and keeps them open until it ends
  /// itself. All processes must therefore be started through this method. A pipe that is read to
  /// its end must be created in the closure, which must also close the writing end.
  static func startingAlone<Value>(_ start: () throws -> Value) rethrows -> Value {
    try starts.withLock(start)
  }

  /// Starts the process while no other process is being started.
  func runAlone() throws { try Self.startingAlone { try run() } }
}
