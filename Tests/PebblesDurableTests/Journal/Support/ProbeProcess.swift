import Foundation
import PebblesTestSupport

/// A process of `journal-probe` that can be killed or awaited.
struct ProbeProcess {
  private let identifier: pid_t

  struct CannotStart: Error {}

  /// Starts a process with the given arguments.
  init(_ arguments: [String]) throws {
    let path = ProgramRun.executable("journal-probe").path
    var words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var identifier = pid_t()
    let failure = Process.startingAlone {
      posix_spawn(&identifier, path, nil, nil, words, environ)
    }
    guard failure == 0 else { throw CannotStart() }
    self.identifier = identifier
  }

  /// Makes the system kill the process.
  func kill() { _ = Foundation.kill(identifier, SIGKILL) }

  /// Checks whether the process has ended. If so, its entry in the process table is released.
  ///
  /// - Parameter status: Set to the exit code of the process, or to `nil` if it was killed.
  /// - Returns: Whether the process has ended.
  func hasEnded(_ status: inout Int32?) -> Bool {
    var word = CInt()
    guard waitpid(identifier, &word, WNOHANG) == identifier else { return false }
    status = word & 0x7F == 0 ? word >> 8 & 0xFF : nil
    return true
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: The exit code of the process, or `nil` if it was killed.
  func wait() -> Int32? {
    var word = CInt()
    while waitpid(identifier, &word, 0) < 0, errno == EINTR {}
    return word & 0x7F == 0 ? word >> 8 & 0xFF : nil
  }
}

/// Performs work that blocks its thread, on a new thread created for it.
func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
  }
}
