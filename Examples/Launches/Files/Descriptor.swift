import Foundation

/// An open file descriptor, closed when this goes.
struct Descriptor: ~Copyable {
  private let number: Int32
  /// For messages only.
  private let path: String
  private let action: String

  init(opening path: String, _ flags: Int32, to action: String) throws(FileError) {
    number = open(path, flags, 0o644)
    self.path = path
    self.action = action
    guard number >= 0 else { throw FileError(path: path, action: action, code: errno) }
  }

  deinit {
    // Nothing to learn here: what had to reach the disk was synchronized.
    if number >= 0 { close(number) }
  }

  func status() throws(FileError) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw failure }
    return FileStatus(status)
  }

  /// The next bytes, or `nil` at the end.
  func read() throws(FileError) -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Foundation.read(number, &buffer, buffer.count)
      if count > 0 { return buffer[..<count] }
      if count == 0 { return nil }
      guard errno == EINTR else { throw failure }
    }
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    let code = writeAll(bytes, to: number)
    guard code == 0 else { throw FileError(path: path, action: action, code: code) }
  }

  /// Waits until what was written is on the disk.
  func synchronize() throws(FileError) {
    // EINVAL comes from what has no disk behind it, and is none of our business.
    guard fsync(number) == 0 || errno == EINVAL else { throw failure }
  }

  /// Takes the lock on the open file if nobody else has it.
  func tryLock() throws(FileError) -> Bool {
    if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { throw failure }
    return false
  }

  func unlock() {
    flock(number, LOCK_UN)
  }

  private var failure: FileError { FileError(path: path, action: action, code: errno) }
}

/// Writes every byte, however many calls it takes.
///
/// - Returns: Zero, or the system's error code.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// What the system says of a file.
struct FileStatus: Sendable {
  let size: Int
  let kind: String
  let isRegularFile: Bool

  init(_ status: stat) {
    size = Int(status.st_size)
    let format = status.st_mode & S_IFMT
    isRegularFile = format == S_IFREG
    kind =
      switch format {
      case S_IFREG: "a file"
      case S_IFDIR: "a directory"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
  }
}
