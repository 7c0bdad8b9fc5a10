import GRDB

/// An error thrown when a file is not a database, or is damaged.
public struct DamagedDatabase: Error, CustomStringConvertible {
  /// The path of the file.
  public let path: String

  /// The problem that was found.
  public let finding: String

  /// The error as a sentence.
  public var description: String { "the database \(path) is damaged: \(finding)" }
}

/// An error thrown when a file cannot be opened, regardless of its content.
public struct UnopenedDatabase: Error, CustomStringConvertible {
  /// The path of the file.
  public let path: String

  /// The problem that was found.
  public let finding: String

  /// The error as a sentence.
  public var description: String {
    "the database \(path) cannot be opened: \(finding); give another file with --database"
  }
}

/// An error thrown when a file can be read but not written.
public struct UnwritableDatabase: Error, CustomStringConvertible {
  /// The path of the file.
  public let path: String

  /// The problem that was found.
  public let finding: String

  /// Whether the file was opened read-only. If so, a restart is necessary.
  public var isOpenedForReading = true

  /// The error as a sentence.
  public var description: String {
    let advice = "free disk space, or make it writable"
    let rest = isOpenedForReading ? ", and start again" : "; the next refresh tries it again"
    return "the database \(path) can be read but not written: \(finding); \(advice)\(rest)"
  }
}

extension DatabaseError {
  /// SQLite's message without the SQL statement, or the result code if there is no message.
  var finding: String { message ?? "\(resultCode)" }

  /// Whether the error may mean that SQLite cannot write, for any reason other than a locked file.
  /// Some of these errors may also occur when reading.
  var isOfWriting: Bool {
    let codes: [ResultCode] = [
      .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_PERM,
    ]
    return codes.contains(resultCode)
  }
}
