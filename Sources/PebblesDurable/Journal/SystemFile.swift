import Pebbles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A regular file that is open for reading only, or for reading and writing. When this object is
/// released, the file is closed and its lock is released.
final class SystemFile: Sendable {
  /// The path of the file, with all symbolic links resolved.
  let path: String
  private let descriptor: CInt

  /// Whether opening the file created it.
  let isNew: Bool

  /// The permissions of new files. Only the owner has access, because outputs may contain secrets.
  private static let mode: mode_t = 0o600

  /// An error for a file that cannot be used. The clause is worded to follow the file's name in a
  /// sentence, such as `"is not a regular file"`.
  struct Failure: Error {
    let clause: String

    init(_ clause: String) {
      self.clause = clause
    }

    /// Creates a failure from `errno` after a system call has failed. `action` completes the clause
    /// "cannot be", for example `"opened"`.
    init(toDo action: String) {
      clause = "cannot be \(action): \(String(cString: strerror(errno)))"
    }
  }

  enum Access {
    case reading
    /// Access for reading and writing; the file is created if it does not exist.
    case writing
  }

  /// Opens a file.
  init(_ path: String, access: Access = .writing) throws(Failure) {
    self.path = try Self.resolved(path)
    let flags =
      O_CLOEXEC | O_NONBLOCK | (access == .reading ? O_RDONLY : O_RDWR | O_CREAT)
    let new = access == .reading ? -1 : open(self.path, flags | O_EXCL, Self.mode)
    isNew = new >= 0
    descriptor = isNew ? new : open(self.path, flags, Self.mode)
    guard descriptor >= 0 else { throw Failure(toDo: "opened") }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(toDo: "opened") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("is not a regular file") }
  }

  /// Creates and locks a file that will replace `file`.
  private init(replacing file: SystemFile) throws(Failure) {
    path = file.path
    isNew = file.isNew
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(file.pathOfNew, flags, Self.mode)
    guard descriptor >= 0 else { throw Failure(toDo: "created") }
    guard try lock() else { throw Failure("cannot be created: \(file.pathOfNew) is in use") }
  }

  /// Replaces the file with a new file that contains the given bytes. If the new file cannot be
  /// written or renamed, the old file remains. If the folder cannot be synced, the new file remains
  /// in its place, although an error is thrown.
  ///
  /// - Returns: The new file, locked like this one.
  func replaced(by bytes: [UInt8], syncs: Bool) throws(Failure) -> SystemFile {
    do throws(Failure) {
      let file = try SystemFile(replacing: self)
      try file.write(bytes, at: 0)
      if syncs { try file.sync() }
      guard rename(pathOfNew, path) == 0 else { throw Failure(toDo: "created") }
      if syncs { try file.syncFolder() }
      return file
    } catch {
      unlink(pathOfNew)
      throw error
    }
  }

  private var pathOfNew: String { "\(path).new" }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns a path with its symbolic links resolved, so that a later rename affects the file
  /// that was opened.
  private static func resolved(_ path: String) throws(Failure) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Failure("is not a valid file name") }
    if let known = realPath(path) { return known }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      throw Failure("is a symbolic link to a file that does not exist; remove or fix the link")
    }
    // The file does not exist, or did not exist a moment ago.
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last.map(String.init) ?? ""
    let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/") + "/"
    guard let realFolder = realPath(folder) else {
      throw Failure("cannot be opened: there is no folder \(folder)")
    }
    guard !name.isEmpty else { throw Failure("is not a valid file name") }
    return realFolder == "/" ? "/\(name)" : "\(realFolder)/\(name)"
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  // MARK: The lock

  /// Locks the file, unless it is already locked by another object or another process.
  ///
  /// - Returns: Whether the file is locked by this object.
  func lock() throws(Failure) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return false }
      throw Failure(toDo: "locked")
    }
    return true
  }

  /// Whether the file is still at its path, and has not been deleted, moved or replaced.
  var isAtItsPath: Bool { lengthAtItsPath != nil }

  /// The length of the file, in bytes; `nil` if the file is no longer at its path.
  var lengthAtItsPath: Int? {
    var own = stat()
    var found = stat()
    guard fstat(descriptor, &own) == 0, stat(path, &found) == 0,
      own.st_dev == found.st_dev && own.st_ino == found.st_ino
    else { return nil }
    return Int(own.st_size)
  }

  // MARK: The content

  /// The maximum number of bytes to read or write in one call. Linux does not read or write more at
  /// once, and Apple's systems reject larger calls.
  private static let mostAtOnce = Int(CInt.max)

  func read() throws(Failure) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(toDo: "read") }
    let size = Int(status.st_size)
    // All empty arrays share one storage, to which the initializer below would write.
    guard size > 0 else { return [] }
    var count = 0
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      while count < size {
        let length = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, min(size - count, Self.mostAtOnce),
          off_t(count))
        if length < 0, errno == EINTR { continue }
        failed = length < 0
        if length <= 0 { break }
        count += length
      }
      initialized = count
    }
    if failed { throw Failure(toDo: "read") }
    return bytes
  }

  /// Writes bytes at an offset.
  ///
  /// - Throws: `Failure` if not all bytes could be written. In that case, some of the bytes may
  ///   have been written.
  func write(_ bytes: [UInt8], at offset: Int) throws(Failure) {
    var count = 0
    while count < bytes.count {
      let length = bytes.withUnsafeBytes { buffer in
        pwrite(
          descriptor, buffer.baseAddress.map { $0 + count },
          min(bytes.count - count, Self.mostAtOnce), off_t(offset + count))
      }
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { throw Failure(toDo: "written") }
      count += length
    }
  }

  func truncate(to length: Int) throws(Failure) {
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw Failure(toDo: "cut") }
  }

  /// Waits until everything written is on the disk.
  func sync() throws(Failure) {
    #if canImport(Darwin)
    let isDone = Self.syncFully(descriptor)
    #else
    let isDone = fdatasync(descriptor) == 0
    #endif
    guard isDone else { throw Failure(toDo: "written to disk") }
  }

  /// Waits until the name of the file is on the disk.
  func syncFolder() throws(Failure) {
    func failure() -> Failure {
      Failure("is in place, but its folder \(Failure(toDo: "written to disk").clause)")
    }
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    let descriptor = open("/\(folder)", O_RDONLY | O_CLOEXEC)
    guard descriptor != -1 else { throw failure() }
    defer { close(descriptor) }
    #if canImport(Darwin)
    let isDone = Self.syncFully(descriptor)
    #else
    let isDone = fsync(descriptor) == 0
    #endif
    guard isDone else { throw failure() }
  }

  #if canImport(Darwin)
  /// Waits until everything written is on the drive itself. On Apple's systems, `fsync` does not
  /// wait for this. On file systems that support only `fsync`, such as network file systems, this
  /// function calls `fsync`.
  ///
  /// - Returns: `true` on success; otherwise, `false`, with the error in `errno`.
  private static func syncFully(_ descriptor: CInt) -> Bool {
    while fcntl(descriptor, F_FULLFSYNC) == -1 {
      if errno == EINTR { continue }
      let isUnknown = [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL].contains(errno)
      return isUnknown && fsync(descriptor) == 0
    }
    return true
  }
  #endif

  // MARK: The file as a whole

  /// Renames the file by appending `.1` to its name. An existing file with that name is replaced.
  func setAside() throws(Failure) {
    guard rename(path, "\(path).1") == 0 else { throw Failure(toDo: "set aside as \(path).1") }
    // If both names belong to one file, renaming leaves both.
    if isAtItsPath { unlink(path) }
  }

  func remove() {
    unlink(path)
  }

  /// A closure that returns the wall-clock time, in nanoseconds since 1970.
  static let wallTime: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
