import Foundation
import PebblesTestSupport

/// A folder on a disk that loses data that was not synced when power is lost. It is implemented by
/// a file system in user space, `Tests/FlakyDisk/flaky-disk.c`.
final class FlakyDisk {
  private let folder: TemporaryFolder
  private let program: String
  private var process: Process?

  /// The path at which the disk is mounted.
  var path: String { folder.file("mounted") }

  /// An error that a requirement of the tests is not installed, or that this user may not use it.
  struct IsMissing: Error, CustomStringConvertible {
    let description: String
  }

  /// The reason why no disk can be created; `nil` if one can be.
  static let obstacle: String? = {
    do {
      _ = try compiled.get()
      return nil
    } catch {
      return "\(error)"
    }
  }()

  private static let compiled = Result { try compile() }

  private static func compile() throws -> String {
    guard getuid() == 0, access("/dev/fuse", R_OK | W_OK) == 0 else {
      throw IsMissing(description: "the system has no file systems in user space for this user")
    }
    guard access("/usr/include/fuse3/fuse.h", R_OK) == 0 else {
      throw IsMissing(description: "it takes FUSE: apt-get install fuse3 libfuse3-dev")
    }
    guard let compiler = ["clang", "gcc", "cc"].lazy.compactMap(ProgramRun.path).first else {
      throw IsMissing(description: "it takes a compiler for C")
    }
    let source = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../FlakyDisk/flaky-disk.c").standardized.path
    let program = NSTemporaryDirectory() + "pond-flaky-disk-\(getpid())"
    let run = try ProgramRun(
      of: URL(fileURLWithPath: compiler),
      ["-O2", "-Wall", "-Werror", "-I/usr/include/fuse3", source, "-lfuse3", "-o", program])
    guard run.status == 0 else { throw IsMissing(description: run.error) }
    atexit { _ = try? unlink(FlakyDisk.compiled.get()) }
    return program
  }

  init() throws {
    program = try Self.compiled.get()
    folder = try TemporaryFolder()
    for name in ["disk", "mounted"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: false)
    }
    try mount()
  }

  deinit {
    process?.terminate()
    unmount()
  }

  /// Simulates a loss of power, and mounts the disk again. No process may use the disk meanwhile.
  func losePower() throws {
    guard let process else { return }
    kill(process.processIdentifier, SIGUSR1)
    process.waitUntilExit()
    unmount()
    try mount()
  }

  /// Makes every sync fail, until ``isMended()`` is called.
  func breaks() { close(creat(pathOfFault, 0o600)) }

  func isMended() { unlink(pathOfFault) }

  private var pathOfFault: String { "\(path)/broken" }

  private func mount() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [folder.file("disk"), path]
    let output = Pipe()
    process.standardOutput = output
    try process.runAlone()
    guard output.fileHandleForReading.availableData == Data("mounted\n".utf8) else {
      throw IsMissing(description: "the disk cannot be mounted")
    }
    self.process = process
  }

  private func unmount() {
    // There is no such disk elsewhere: see `obstacle`.
    #if os(Linux)
    umount2(path, CInt(MNT_DETACH))
    #endif
  }
}
