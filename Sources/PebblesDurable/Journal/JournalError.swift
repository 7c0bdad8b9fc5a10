/// An error that is thrown if a journal cannot be used. When it is thrown, no run has been started
/// or continued, and the content of the file has not been changed. If there was no file, an empty
/// file may have been created. An empty file counts as a journal without a run.
public struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A kind of problem with a journal. Later versions may add kinds.
  @nonexhaustive public enum Kind: String, Sendable {
    /// A file that cannot be opened, read or written. For example, its folder does not exist, or
    /// the path leads to a folder.
    case inaccessible

    /// A file that another run was still using when the maximum waiting time elapsed.
    case inUse

    /// A file that is not a journal.
    case notAJournal

    /// A journal written by a newer version of this library.
    case newerVersion

    /// A journal whose unfinished run was started with different given values, or for different
    /// pebbles.
    case otherInput

    /// A damaged journal, in which a checksum or the content is wrong.
    case damaged

    /// A journal whose unfinished run belongs to a pond with different logic.
    case otherLogic

    /// A journal with an output that cannot be decoded as the current output type of its pebble.
    case otherOutput
  }

  /// The kind of problem.
  public let kind: Kind

  /// The path of the file.
  public let path: String

  /// The problem, usually with a remedy, worded to follow the file's path in a sentence, such as
  /// `"is not a regular file"`.
  let clause: String

  /// A sentence that describes the problem, and usually suggests a remedy.
  public var description: String { "the journal \(path) \(clause)" }

  init(_ kind: Kind, _ path: String, _ clause: String) {
    self.kind = kind
    self.path = path
    self.clause = clause
  }
}

extension JournalError.Kind {
  /// Whether a new run may set aside a journal with this problem.
  var isOfOtherRun: Bool {
    switch self {
    case .otherInput, .otherLogic, .otherOutput: true
    case .inaccessible, .inUse, .notAJournal, .newerVersion, .damaged: false
    }
  }
}
