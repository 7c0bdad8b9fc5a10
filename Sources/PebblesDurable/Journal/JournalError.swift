/// A journal cannot be used. Nothing was started, and the file is as it was.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What can be wrong with a journal. More may come with later versions.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// A word for it.
    public let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// It cannot be opened, read or written: there is no such folder, say, or it is one.
    public static let inaccessible = Kind("inaccessible")

    /// Another run uses it, and went on using it for as long as there was to wait.
    public static let inUse = Kind("inUse")

    /// The file is no journal.
    public static let notAJournal = Kind("notAJournal")

    /// A newer version of this library has written it.
    public static let newerVersion = Kind("newerVersion")

    /// It holds an unfinished run that was given another value, or that is of other pebbles.
    public static let otherInput = Kind("otherInput")

    /// Something has changed it: a checksum, or what it says, is wrong.
    public static let damaged = Kind("damaged")

    /// It holds an unfinished run of a pond with another logic.
    public static let otherLogic = Kind("otherLogic")

    /// It holds an output that cannot be decoded as what its pebble puts out now.
    public static let otherOutput = Kind("otherOutput")

    /// The word for it.
    public var description: String { name }
  }

  /// What is wrong.
  public let kind: Kind

  /// Where the file is.
  public let path: String

  /// What is wrong and what to do, as a clause about the file.
  let clause: String

  /// What is wrong and what to do, as a sentence.
  public var description: String { "the journal \(path) \(clause)" }

  init(_ kind: Kind, _ path: String, _ clause: String) {
    self.kind = kind
    self.path = path
    self.clause = clause
  }
}

extension JournalError.Kind {
  /// Whether such a run may be set aside to start anew.
  var isOfOtherRun: Bool { self == .otherLogic || self == .otherOutput || self == .otherInput }
}
