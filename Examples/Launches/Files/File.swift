import Foundation

/// A file at a path: read whole or not at all, replaced whole or not at all.
struct File: Sendable {
  let path: String

  /// Reads a regular file of at most `limit` bytes. The size is asked first, and held to: a file
  /// may grow while it is read.
  func read(atMost limit: Int) throws(FileError) -> [UInt8] {
    // Without O_NONBLOCK, opening a named pipe would wait for somebody to write to it.
    let file = try Descriptor(opening: path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, to: "read")
    let status = try file.status()
    guard status.isRegularFile else {
      throw FileError(path: path, action: "read", reason: "it is \(status.kind), not a file")
    }
    guard status.size <= limit else { throw tooLarge(limit) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(status.size)
    while let chunk = try file.read() {
      bytes += chunk
      guard bytes.count <= limit else { throw tooLarge(limit) }
    }
    return bytes
  }

  private func tooLarge(_ limit: Int) -> FileError {
    let megabytes = limit / (1024 * 1024)
    return FileError(
      path: path, action: "read", reason: "it is larger than the limit of \(megabytes) MB")
  }

  /// Writes over the file where it is, which may be a device or a pipe.
  func write(_ bytes: [UInt8]) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let file = try Descriptor(opening: path, flags, to: "write")
    try file.write(bytes)
  }

  /// Replaces the file in one step: readers see the old contents or the new, never a part.
  ///
  /// The new contents are on the disk under another name before they get this one, so that not
  /// even a power failure leaves half of them. A file behind a symbolic link is replaced where it
  /// is, and the link stays.
  func replace(with bytes: [UInt8]) throws(FileError) {
    let target = File(path: resolvedPath)
    if let status = try target.status(), !status.isRegularFile {
      throw FileError(path: path, action: "write", reason: "it is \(status.kind), not a file")
    }
    let draft = File(path: target.path + ".\(UInt64.random(in: .min ... .max)).tmp")
    do throws(FileError) {
      try draft.create(with: bytes)
      guard rename(draft.path, target.path) == 0 else {
        throw FileError(path: path, action: "write", code: errno)
      }
    } catch {
      unlink(draft.path)
      throw FileError(path: path, action: "write", reason: error.reason)
    }
    try Descriptor(opening: target.directory, O_RDONLY | O_CLOEXEC, to: "write").synchronize()
  }

  private func create(with bytes: [UInt8]) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let file = try Descriptor(opening: path, flags, to: "write")
    try file.write(bytes)
    try file.synchronize()
  }

  /// The folder the file is in.
  var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private var resolvedPath: String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What is at the path, or `nil` if nothing is.
  func status() throws(FileError) -> FileStatus? {
    var status = stat()
    guard stat(path, &status) != 0 else { return FileStatus(status) }
    guard errno == ENOENT else { throw FileError(path: path, action: "read", code: errno) }
    return nil
  }
}
