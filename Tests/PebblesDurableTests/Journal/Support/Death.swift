import Pebbles
import PebblesTestSupport
import Synchronization

@testable import PebblesDurable

extension Run {
  /// Ends this run as if its process had died: what its journal says now is what is left.
  ///
  /// - Parameter file: Its journal.
  /// - Returns: What is left.
  /// - Throws: What is wrong with that file.
  func dies(with file: JournalFile) async throws -> JournalFile {
    let left = try JournalFile(try file.bytes)
    _ = try await shutdown()
    return left
  }
}

/// A clock on the wall, set by tests.
final class WallClock: Sendable {
  private let time: Mutex<Int64>

  init(seconds: Int64) { time = Mutex(seconds * 1_000_000_000) }

  func read() -> Int64 { time.withLock { $0 } }
}

extension Journal {
  /// One in a world where it is so many seconds after 1970.
  static func at(_ file: JournalFile, seconds: Int64) -> Journal {
    let clock = WallClock(seconds: seconds)
    return Journal(at: file.path, wallClock: { clock.read() })
  }
}
