import GRDB

/// A file that is no database, or no longer one.
public struct DamagedDatabase: Error, CustomStringConvertible {
  /// Where it is.
  public let path: String

  /// What SQLite found.
  public let finding: String

  /// The error as a sentence.
  public var description: String { "the database \(path) is damaged: \(finding)" }
}

/// A file that cannot be opened, whatever is in it.
public struct UnopenedDatabase: Error, CustomStringConvertible {
  /// Where it is.
  public let path: String

  /// What SQLite found.
  public let finding: String

  /// The error as a sentence.
  public var description: String {
    "the database \(path) cannot be opened: \(finding); give another file with --database"
  }
}

/// A file that can be read but not written.
public struct UnwritableDatabase: Error, CustomStringConvertible {
  /// Where it is.
  public let path: String

  /// What SQLite found.
  public let finding: String

  /// Whether it was opened so: then it is opened anew only by a new start.
  public var isOpenedForReading = true

  /// The error as a sentence.
  public var description: String {
    let advice = "make room for it, or let it be written"
    let rest = isOpenedForReading ? ", and start again" : "; the next refresh tries it again"
    return "the database \(path) can be read but not written: \(finding); \(advice)\(rest)"
  }
}

extension DatabaseError {
  /// What SQLite found, without the statement.
  var finding: String { message ?? "\(resultCode)" }

  /// Whether it is what SQLite says where it cannot write: not where another holds the file.
  var isOfWriting: Bool {
    let codes: [ResultCode] = [
      .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_FULL, .SQLITE_PERM,
    ]
    return codes.contains(resultCode)
  }
}
