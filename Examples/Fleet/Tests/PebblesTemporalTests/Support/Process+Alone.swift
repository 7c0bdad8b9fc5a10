import Foundation

private let starts = NSLock()

extension Process {
  /// Calls a closure that starts a process, while no other such closure runs.
  ///
  /// Foundation waits for the end of a process until nobody holds the other end of a socket, and a
  /// pipe ends when nobody holds the end that writes. A process that another thread starts at the
  /// same moment inherits both: if it is a browser, they stay open until the browser ends. So all
  /// processes are started here, and pipes that are read to the end are made here and lose the end
  /// that writes here.
  static func startingAlone<Value>(_ start: () throws -> Value) rethrows -> Value {
    try starts.withLock(start)
  }

  /// Starts the program while no other is being started.
  func runAlone() throws { try Self.startingAlone { try run() } }
}
