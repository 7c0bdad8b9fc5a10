import Foundation
import PebblesTestSupport

/// A process of `journal-probe`, to be killed or waited for.
struct ProbeProcess {
  private let identifier: pid_t

  struct CannotStart: Error {}

  /// Starts one.
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

  /// Has the system end it, wherever it is.
  func kill() { _ = Foundation.kill(identifier, SIGKILL) }

  /// Looks whether it has ended; then nothing of it is left.
  ///
  /// - Parameter status: Its exit code, or `nil` if it was killed.
  /// - Returns: Whether it has.
  func hasEnded(_ status: inout Int32?) -> Bool {
    var word = CInt()
    guard waitpid(identifier, &word, WNOHANG) == identifier else { return false }
    status = word & 0x7F == 0 ? word >> 8 & 0xFF : nil
    return true
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit code, or `nil` if it was killed.
  func wait() -> Int32? {
    var word = CInt()
    while waitpid(identifier, &word, 0) < 0, errno == EINTR {}
    return word & 0x7F == 0 ? word >> 8 & 0xFF : nil
  }
}

/// Does what blocks a thread on one that is there for that.
func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
  }
}
