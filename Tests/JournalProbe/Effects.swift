import Foundation
import Pebbles
import Synchronization

/// A log of the effects of bodies and teardowns. Each line is appended by a single system call, so
/// it is complete as soon as it is written.
final class Effects: Sendable {
  private let descriptor: CInt
  private let deathAfter: Int?
  private let count = Atomic(0)

  struct CannotBeOpened: Error {}

  /// Creates a log that is written to a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file; `-` for standard output.
  ///   - deathAfter: The number of lines after which the process kills itself; `nil` if it never
  ///     does.
  /// - Throws: `CannotBeOpened` if the file cannot be opened.
  init(_ path: String, dyingAfter deathAfter: Int?) throws {
    descriptor =
      path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw CannotBeOpened() }
    self.deathAfter = deathAfter
  }

  func begin(_ name: String) {
    let context = PebbleContext.current
    note("begin", name, "\(context?.attempt ?? 0) \(context?.idempotencyKey ?? "")")
  }

  func end(_ name: String) { note("end", name) }

  func close(_ name: String) { note("close", name) }

  private func note(_ word: String, _ name: String, _ rest: String = "") {
    let line = Array("\(word) \(name) \(getpid()) \(rest)\n".utf8)
    _ = write(descriptor, line, line.count)
    let number = count.add(1, ordering: .relaxed).newValue
    if number == deathAfter { kill(getpid(), SIGKILL) }
  }
}
