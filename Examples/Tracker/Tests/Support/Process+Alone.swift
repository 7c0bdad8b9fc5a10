import Foundation

private let starts = NSLock()

extension Process {
  /// Calls a closure that starts a process, while no other such closure runs.
  ///
  /// Foundation notices that a process has ended only when every process has closed the other end
  /// of a socket. Similarly, a pipe ends only when every process has closed its writing end. A
  /// process that another thread starts at the same moment inherits both the socket and the pipe,
  /// and keeps them open until it ends itself. All processes must therefore be started through this
  /// method. If a pipe is read to its end, the closure must also create the pipe. `run()` then
  /// closes its writing end.
  package static func startingAlone<Value>(_ start: () throws -> Value) rethrows -> Value {
    try starts.withLock(start)
  }

  /// Starts the program while no other is being started.
  package func runAlone() throws { try Self.startingAlone { try run() } }
}
