import Pebbles

/// A file that records the events of a run, so that the run can be continued after a crash.
///
/// ```swift
/// let report = try await pond.run(journal: Journal(at: "nightly.journal"))
/// ```
///
/// If the process dies, the same call in the next process continues the run: pebbles that had
/// succeeded keep their outcomes and outputs, and bodies that were running are called again. See
/// <doc:Durable>.
///
/// A journal is a value that specifies the file and how to use it. The file is opened when a run
/// begins, and belongs to that run until the run is over.
public struct Journal: Sendable {
  /// The path of the file.
  public let path: String

  let durability: Durability
  let patience: Duration
  let otherRun: OtherRun
  let coder: any OutputCoder
  let largestOutput: Int

  /// A closure that returns the wall-clock time, in nanoseconds since 1970.
  let wallClock: @Sendable () -> Int64

  /// Creates a journal at a path. The file is opened when a run begins.
  ///
  /// - Parameters:
  ///   - path: The path of the file. The folder must exist, but the file need not. The journal of
  ///     the previous run is kept in the same folder, under the same name followed by `.1`.
  ///   - durability: The failures that the journal survives.
  ///   - patience: The longest time to wait while another run, in this or another process, uses the
  ///     file.
  ///   - otherRun: The action to take if the unfinished run in the file has different logic or
  ///     different inputs, or if the types of its outputs have changed.
  ///   - largestOutput: The maximum size, in bytes, of an encoded output that is kept. The default
  ///     is 16 MiB. A larger output is treated like an output that cannot be encoded.
  ///   - coder: The coder that converts outputs to bytes and back.
  public init(
    at path: String, surviving durability: Durability = .processCrash,
    waiting patience: Duration = .seconds(30), ifOther otherRun: OtherRun = .fail,
    largestOutput: Int = 16 << 20, coder: some OutputCoder = JSONOutputs()
  ) {
    self.init(
      at: path, surviving: durability, waiting: patience, ifOther: otherRun,
      largestOutput: largestOutput, coder: coder, wallClock: SystemFile.wallTime)
  }

  /// Creates a journal that reads the wall-clock time from a given closure, for tests.
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

  /// The failures that a journal survives. Later versions may add cases.
  @nonexhaustive public enum Durability: Sendable {
    /// The end of the process, for any reason. The operating system keeps everything written so
    /// far. After a power loss or a system crash, the newest entries may be missing or damaged.
    case processCrash

    /// A power loss, or the end of the process. The end of a body has no effect on other pebbles
    /// until the end is recorded on the disk, which takes milliseconds. All bodies that end in the
    /// meantime share one wait for the disk.
    case powerLoss
  }

  /// The action to take if an unfinished run cannot be continued here. Later versions may add
  /// actions.
  @nonexhaustive public enum OtherRun: Sendable {
    /// Throws a ``JournalError`` that states the first difference, and leaves the file unchanged.
    case fail

    /// Sets the file aside by appending `.1` to its name, and starts a new run. The pebbles of the
    /// old run are not torn down.
    case startAnew
  }
}

extension Journal.Durability {
  /// Whether an entry must be on the disk before the run acts on the recorded event.
  var syncs: Bool {
    switch self {
    case .processCrash: false
    case .powerLoss: true
    }
  }
}
