import Pebbles
import PebblesTestSupport
import Synchronization

@testable import PebblesDurable

extension Run {
  /// Ends this run as if its process had died now.
  ///
  /// - Parameter file: The journal of the run.
  /// - Returns: A copy of the journal in its current state.
  /// - Throws: An error if the journal cannot be read or copied.
  func dies(with file: JournalFile) async throws -> JournalFile {
    let left = try JournalFile(try file.bytes)
    _ = try await shutdown()
    return left
  }
}

/// A wall clock that stands still at a given time.
final class WallClock: Sendable {
  private let time: Mutex<Int64>

  init(seconds: Int64) { time = Mutex(seconds * 1_000_000_000) }

  func read() -> Int64 { time.withLock { $0 } }
}

extension Journal {
  /// Returns the journal with a wall clock that shows the given number of seconds since 1970.
  static func at(_ file: JournalFile, seconds: Int64) -> Journal {
    let clock = WallClock(seconds: seconds)
    return Journal(at: file.path, wallClock: { clock.read() })
  }
}
