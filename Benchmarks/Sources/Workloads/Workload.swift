/// A graph as data, given to every contestant, so that all of them run the same one.
///
/// Atoms are in flat arrays; the atoms of pebble `i` are `atoms(of: i)`, a range of indices into
/// `predecessors` and `awaited`. A pebble only waits for pebbles with a lower index. In a
/// conjunctive shape, all atoms wait for success and all must hold. Otherwise a pebble has no atoms
/// or four, and runs if the first two or the last two hold.
public struct Workload: Sendable {
  /// The shape of the graph.
  public let shape: Shape
  /// The names `p0`, `p1`, …, made outside of every measurement; a pond shares them.
  public let names: [String]
  /// The index of the first atom of each pebble, followed by the number of all atoms.
  public let offsets: [Int32]
  /// The pebble that each atom waits for.
  public let predecessors: [Int32]
  /// The outcome that each atom waits for; empty in a conjunctive shape, where it is always
  /// success.
  public let awaited: [Awaited]
  /// Whether each body throws after counting.
  public let fails: [Bool]
  /// The sleep of each body; empty if no body sleeps.
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

  /// The end of a body, or that it never started.
  public enum Ending: Sendable {
    case succeeded, failed, skipped
  }

  /// The outcome that an atom waits for.
  public enum Awaited: CaseIterable, Sendable {
    case succeeded, failed, skipped, completed, settled

    /// Returns whether the end of a pebble is an awaited one.
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
