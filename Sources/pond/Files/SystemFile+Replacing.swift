#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Functions that replace files or append to them.
extension SystemFile {
  /// Replaces a file, or appends to it.
  ///
  /// A file is replaced atomically: the new text is written to a temporary file in the same folder,
  /// which then replaces the old file. If the path is a link, its target is replaced. Pipes, other
  /// special files, and files that cannot be replaced are overwritten instead.
  static func write(_ text: String, to path: String, appending: Bool) throws(Problem) {
    try checkName(path)
    // If standard output is a file, opening it by this name would truncate it.
    if path == "/dev/stdout" { return try print(text) }
    let error = appending ? overwrite(path, with: text, O_APPEND) : replace(path, with: text)
    guard error == 0 else {
      throw Problem("cannot write \(Arguments.shown(path)): \(reason(error))")
    }
  }

  /// Returns whether two names refer to the same regular file. The second name may be `-`, for
  /// standard input.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    let isThere = other == "-" ? fstat(STDIN_FILENO, &second) : stat(other, &second)
    return isThere == 0 && stat(path, &first) == 0 && first.isFile
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Replaces a file, or overwrites it if it cannot be replaced.
  ///
  /// - Returns: The error number; zero on success.
  private static func replace(_ path: String, with text: String) -> Int32 {
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard !isThere || status.isFile, let target = target(of: path) else {
      return overwrite(path, with: text, O_TRUNC)
    }
    if isThere, access(target, W_OK) != 0 { return errno }
    let name = folder(of: target) + ".pond-\(UInt64.random(in: 0 ... .max))"
    let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      // The file may be writable although its folder is not.
      let isLocked = isThere && [EACCES, EPERM, EROFS].contains(errno)
      return isLocked ? overwrite(path, with: text, O_TRUNC) : errno
    }
    if isThere, !give(file, the: status) {
      close(file)
      unlink(name)
      return overwrite(path, with: text, O_TRUNC)
    }
    var error = fill(file, with: text)
    if error == 0, rename(name, target) != 0 { error = errno }
    if error != 0 { unlink(name) }
    // `EBUSY`: something is mounted at the target.
    return error == EBUSY ? overwrite(path, with: text, O_TRUNC) : error
  }

  private static func overwrite(_ path: String, with text: String, _ flag: Int32) -> Int32 {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0o666)
    return file >= 0 ? fill(file, with: text) : errno
  }

  /// Writes to an open file, closes it, and returns the error number; zero on success.
  private static func fill(_ file: Int32, with text: String) -> Int32 {
    let error = write(text, to: file) ? 0 : errno
    let isClosed = close(file) == 0
    return error == 0 && !isClosed ? errno : error
  }

  /// Sets the owner and the permissions of an open file to those in `status`.
  ///
  /// - Returns: Whether the owner and the permissions could be set.
  private static func give(_ file: Int32, the status: stat) -> Bool {
    fchown(file, status.st_uid, status.st_gid) == 0 && fchmod(file, status.st_mode & 0o7777) == 0
  }

  /// Returns the target of a path after following links; `nil` if the target cannot be replaced.
  ///
  /// A target cannot be replaced if the path leads to an open file, such as `/dev/fd/3`, if a link
  /// contains a name that is not UTF-8, or if there are 40 or more links.
  private static func target(of path: String) -> String? {
    var path = path
    for _ in 0..<40 {
      if ["/dev/fd/", "/dev/std", "/proc/"].contains(where: path.hasPrefix) { return nil }
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &bytes, bytes.count)
      guard count > 0 else { return path }
      let link = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      if link.unicodeScalars.contains("\u{FFFD}") { return nil }
      path = link.hasPrefix("/") ? link : folder(of: path) + link
    }
    return nil
  }

  /// Returns the path of a file up to and including the last `/`; empty if the path contains no
  /// `/`.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}

extension stat {
  fileprivate var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
