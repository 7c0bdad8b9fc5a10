import Pebbles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A regular file, open for reading and writing; closed when this goes away, and with it its lock.
final class SystemFile: Sendable {
  /// Where it is, whatever symbolic links led there.
  let path: String
  private let descriptor: CInt

  /// Whether there was none before.
  let isNew: Bool

  /// For its owner alone: outputs may be secrets.
  private static let mode: mode_t = 0o600

  /// What the system says, as a clause about the file.
  struct Failure: Error {
    let clause: String

    init(_ clause: String) {
      self.clause = clause
    }

    /// Of the call that has just failed.
    init(toDo action: String) {
      clause = "cannot be \(action): \(String(cString: strerror(errno)))"
    }
  }

  enum Access {
    case reading
    /// Makes the file if there is none.
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
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("is no regular file") }
  }

  /// Makes a file, locked, that is to take the place of another one.
  private init(replacing file: SystemFile) throws(Failure) {
    path = file.path
    isNew = file.isNew
    let flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(file.pathOfNew, flags, Self.mode)
    guard descriptor >= 0 else { throw Failure(toDo: "made") }
    guard try lock() else { throw Failure("cannot be made: \(file.pathOfNew) is in use") }
  }

  /// Puts a file with these bytes into the place of this one: as a whole, or not at all.
  ///
  /// - Returns: That file, locked as this one is.
  func replaced(by bytes: [UInt8], syncs: Bool) throws(Failure) -> SystemFile {
    do throws(Failure) {
      let file = try SystemFile(replacing: self)
      try file.write(bytes, at: 0)
      if syncs { try file.sync() }
      guard rename(pathOfNew, path) == 0 else { throw Failure(toDo: "made") }
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

  /// Only so is what is at a path to be renamed that which was opened.
  private static func resolved(_ path: String) throws(Failure) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Failure("has no name of a file") }
    if let known = realPath(path) { return known }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      throw Failure("is a symbolic link to a file that is not there; remove or mend the link")
    }
    // There is none, or there was none when it was looked for.
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let name = parts.last.map(String.init) ?? ""
    let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/") + "/"
    guard let realFolder = realPath(folder) else {
      throw Failure("cannot be made: there is no folder \(folder)")
    }
    guard !name.isEmpty else { throw Failure("has no name of a file") }
    return realFolder == "/" ? "/\(name)" : "\(realFolder)/\(name)"
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  // MARK: The lock

  /// Locks the file against all others that do so, in this process and in others, unless one has.
  ///
  /// - Returns: Whether it is locked.
  func lock() throws(Failure) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return false }
      throw Failure(toDo: "locked")
    }
    return true
  }

  /// Whether the file is still the one at its path, and was not deleted or replaced.
  var isAtItsPath: Bool { lengthAtItsPath != nil }

  /// How long the file is; `nil` if it is not the one at its path any more.
  var lengthAtItsPath: Int? {
    var own = stat()
    var found = stat()
    guard fstat(descriptor, &own) == 0, stat(path, &found) == 0,
      own.st_dev == found.st_dev && own.st_ino == found.st_ino
    else { return nil }
    return Int(own.st_size)
  }

  // MARK: What is in it

  /// In bytes. Linux reads and writes no more in one call, and Apple's systems refuse to.
  private static let mostAtOnce = Int(CInt.max)

  func read() throws(Failure) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(toDo: "read") }
    let size = Int(status.st_size)
    // Arrays without room share one, and to say that nothing was read writes to that.
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

  /// - Throws: `Failure` if not all could be written; then perhaps some was.
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

  /// Returns once all that was written is on the disk.
  func sync() throws(Failure) {
    #if canImport(Darwin)
    let isDone = Self.syncFully(descriptor)
    #else
    let isDone = fdatasync(descriptor) == 0
    #endif
    guard isDone else { throw Failure(toDo: "brought to the disk") }
  }

  /// Returns once it is on the disk that there is a file of this name.
  func syncFolder() throws(Failure) {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    let descriptor = open("/\(folder)", O_RDONLY | O_CLOEXEC)
    guard descriptor != -1 else { throw Failure(toDo: "brought to the disk") }
    defer { close(descriptor) }
    #if canImport(Darwin)
    let isDone = Self.syncFully(descriptor)
    #else
    let isDone = fsync(descriptor) == 0
    #endif
    guard isDone else { throw Failure(toDo: "brought to the disk") }
  }

  #if canImport(Darwin)
  /// Waits for the drive as well, which `fsync` does not do on Apple's systems. Some file systems,
  /// such as those of a network, only know `fsync`.
  ///
  /// - Returns: Whether it is done; if not, `errno` says why.
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

  /// Gives the file a name with `.1` behind it; what had that is gone.
  func setAside() throws(Failure) {
    guard rename(path, "\(path).1") == 0 else { throw Failure(toDo: "set aside as \(path).1") }
    // Two names of one file stay as they are.
    if isAtItsPath { unlink(path) }
  }

  func remove() {
    unlink(path)
  }

  /// The time of day, in nanoseconds since 1970.
  static let wallTime: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
