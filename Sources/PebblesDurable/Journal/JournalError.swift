/// The error of a journal that cannot be used. Nothing was started, and the file is unchanged.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A kind of problem with a journal. Later versions may add more.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind, such as `inUse`.
    public let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// A file that cannot be opened, read or written: for example, its folder does not exist, or it
    /// is itself a folder.
    public static let inaccessible = Kind("inaccessible")

    /// A file that another run uses, and did not release within the longest time to wait.
    public static let inUse = Kind("inUse")

    /// A file that is not a journal.
    public static let notAJournal = Kind("notAJournal")

    /// A journal that a newer version of this library has written.
    public static let newerVersion = Kind("newerVersion")

    /// A journal with an unfinished run that was given another value, or that has other pebbles.
    public static let otherInput = Kind("otherInput")

    /// A damaged journal: a checksum or the content is wrong.
    public static let damaged = Kind("damaged")

    /// A journal with an unfinished run of a pond with another logic.
    public static let otherLogic = Kind("otherLogic")

    /// A journal with an output that cannot be decoded as the present output type of its pebble.
    public static let otherOutput = Kind("otherOutput")

    /// The ``name`` of the kind.
    public var description: String { name }
  }

  /// The kind of problem.
  public let kind: Kind

  /// The path of the file.
  public let path: String

  /// The problem and a remedy, as a clause about the file.
  let clause: String

  /// The problem and a remedy, as a sentence.
  public var description: String { "the journal \(path) \(clause)" }

  init(_ kind: Kind, _ path: String, _ clause: String) {
    self.kind = kind
    self.path = path
    self.clause = clause
  }
}

extension JournalError.Kind {
  /// Whether a journal with this problem may be set aside to start anew.
  var isOfOtherRun: Bool { self == .otherLogic || self == .otherOutput || self == .otherInput }
}
