/// A graph, represented as data. Every contestant receives the same graph.
///
/// Atoms are stored in flat arrays: `atoms(of: i)` is the range of the indices, in `predecessors`
/// and `awaited`, of the atoms of pebble `i`. A pebble waits only for pebbles with lower indices.
/// In a conjunctive shape, all atoms wait for success, and a pebble runs if all its atoms hold. In
/// any other shape, a pebble has either no atoms or four atoms. A pebble with four atoms runs if
/// the first two or the last two hold.
public struct Workload: Sendable {
  /// The shape of the graph.
  public let shape: Shape
  /// The names of the pebbles: `p0`, `p1` and so on. They are created before any measurement, and a
  /// pond shares their storage.
  public let names: [String]
  /// The index of the first atom of each pebble, followed by the total number of atoms.
  public let offsets: [Int32]
  /// The pebble that each atom waits for.
  public let predecessors: [Int32]
  /// The outcome that each atom waits for. The array is empty in a conjunctive shape, because all
  /// its atoms wait for success.
  public let awaited: [Awaited]
  /// Whether each body throws an error after it has incremented the tally.
  public let fails: [Bool]
  /// The time that each body sleeps; empty if no body sleeps.
  public let sleeps: [Duration]

  /// The number of pebbles.
  public var count: Int { names.count }
  /// The number of atoms.
  public var atomCount: Int { predecessors.count }

  /// Returns the indices of a pebble's atoms.
  @inlinable
  public func atoms(of pebble: Int) -> Range<Int> {
    Int(offsets[pebble])..<Int(offsets[pebble + 1])
  }

  /// Returns the indices of the pebbles that a pebble waits for.
  @inlinable
  public func predecessors(of pebble: Int) -> ArraySlice<Int32> {
    predecessors[atoms(of: pebble)]
  }

  /// The way in which a pebble ends.
  public enum Ending: Sendable {
    case succeeded, failed, skipped
  }

  /// The outcome that an atom waits for.
  public enum Awaited: CaseIterable, Sendable {
    case succeeded, failed, skipped, completed, settled

    /// Returns whether an atom that waits for this outcome holds after the given ending.
    @inlinable
    public func holds(after ending: Ending) -> Bool {
      switch (self, ending) {
      case (.settled, _), (.succeeded, .succeeded), (.failed, .failed), (.skipped, .skipped),
        (.completed, .succeeded), (.completed, .failed):
        true
      case (.succeeded, .failed), (.succeeded, .skipped), (.failed, .succeeded),
        (.failed, .skipped), (.skipped, .succeeded), (.skipped, .failed), (.completed, .skipped):
        false
      }
    }
  }
}

extension Workload {
  /// A builder that collects pebbles into the flat arrays.
  struct Builder {
    private(set) var offsets: [Int32] = [0]
    private(set) var predecessors: [Int32] = []
    private(set) var awaited: [Awaited] = []
    private(set) var sleeps: [Duration] = []

    var count: Int { offsets.count - 1 }

    mutating func add(after pebbles: [Int] = [], awaiting outcomes: [Awaited] = []) {
      for pebble in pebbles { predecessors.append(Int32(pebble)) }
      awaited += outcomes
      offsets.append(Int32(predecessors.count))
    }

    mutating func add(after pebbles: [Int], sleeping duration: Duration) {
      add(after: pebbles)
      sleeps.append(duration)
    }
  }

  init(_ shape: Shape, _ builder: Builder, fails: [Bool]? = nil) {
    self.shape = shape
    names = (0..<builder.count).map { "p\($0)" }
    offsets = builder.offsets
    predecessors = builder.predecessors
    awaited = builder.awaited
    sleeps = builder.sleeps
    self.fails = fails ?? Array(repeating: false, count: builder.count)
  }
}
