import Foundation

private let starts = NSLock()

extension Process {
  /// Calls a closure that starts a process, while no other such closure runs.
  ///
  /// To await the end of a process, Foundation waits until every process has closed the other end
  /// of a socket. In the same way, a pipe ends only when every process has closed its writing end.
  /// A process that another thread starts at the same moment inherits both the socket and the pipe.
  /// If that process is a browser, both stay open until the browser ends. So all processes are
  /// started in this function. Pipes that are read to their end are also created in this function,
  /// which closes their writing ends.
  package static func startingAlone<Value>(_ start: () throws -> Value) rethrows -> Value {
    try starts.withLock(start)
  }

  /// Starts the program while no other is being started.
  package func runAlone() throws { try Self.startingAlone { try run() } }
}
