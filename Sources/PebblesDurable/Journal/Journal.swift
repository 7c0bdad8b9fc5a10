import Pebbles

/// A file that a run keeps what has happened in, so that it goes on there after a crash.
///
/// ```swift
/// let report = try await pond.run(journal: Journal(at: "nightly.journal"))
/// ```
///
/// If the process dies, the same line goes on in the next one: what had succeeded stays succeeded,
/// with its output, and what was running is called again. See <doc:Durable>.
///
/// This is a value that says where and how. The file is opened when a run begins, and belongs to
/// that run until it is over.
public struct Journal: Sendable {
  /// Where the file is.
  public let path: String

  let durability: Durability
  let patience: Duration
  let otherRun: OtherRun
  let coder: any OutputCoder
  let largestOutput: Int

  /// Tells the time of day, in nanoseconds since 1970.
  let wallClock: @Sendable () -> Int64

  /// Names a file.
  ///
  /// - Parameters:
  ///   - path: Where it is, or is to be; its folder must exist. Beside it there may be one with
  ///     `.1` behind its name: the journal of the run before.
  ///   - durability: What it survives.
  ///   - patience: How long to wait at most while another run uses it, in this process or another.
  ///   - otherRun: What to do if it holds an unfinished run of another logic, or outputs that are
  ///     of other types now.
  ///   - largestOutput: How long an output may be that is kept, in bytes as it is encoded; 16 MiB,
  ///     if not given. A longer one is treated as one that cannot be encoded.
  ///   - coder: Turns outputs into bytes and back.
  public init(
    at path: String, surviving durability: Durability = .processCrash,
    waiting patience: Duration = .seconds(30), ifOther otherRun: OtherRun = .fail,
    largestOutput: Int = 16 << 20, coder: some OutputCoder = JSONOutputs()
  ) {
    self.init(
      at: path, surviving: durability, waiting: patience, ifOther: otherRun,
      largestOutput: largestOutput, coder: coder, wallClock: SystemFile.wallTime)
  }

  /// The same with another clock on the wall, for tests.
  package init(
    at path: String, surviving durability: Durability = .processCrash,
    waiting patience: Duration = .seconds(30), ifOther otherRun: OtherRun = .fail,
    largestOutput: Int = 16 << 20, coder: some OutputCoder = JSONOutputs(),
    wallClock: @escaping @Sendable () -> Int64
  ) {
    self.path = path
    self.durability = durability
    self.patience = patience
    self.otherRun = otherRun
    self.coder = coder
    self.largestOutput = largestOutput
    self.wallClock = wallClock
  }

  /// What a journal survives. More may come with later versions.
  public struct Durability: Sendable, Hashable {
    let syncs: Bool

    /// The end of the process, however it comes: what is written is the system's from then on.
    /// After a loss of power, or of the system, the newest entries may be missing or damaged.
    public static let processCrash = Durability(syncs: false)

    /// A loss of power, too: nothing follows from the end of a body before that is on the disk,
    /// which takes milliseconds; all that end meanwhile share the next time.
    public static let powerLoss = Durability(syncs: true)
  }

  /// What to do with an unfinished run that cannot go on here. More may come with later versions.
  public struct OtherRun: Sendable, Hashable {
    let isSetAside: Bool

    /// Throw a ``JournalError`` that names the first difference, and leave the file as it is.
    public static let fail = OtherRun(isSetAside: false)

    /// Set the file aside, with `.1` behind its name, and start anew. What that run had opened is
    /// not torn down.
    public static let startAnew = OtherRun(isSetAside: true)
  }
}
