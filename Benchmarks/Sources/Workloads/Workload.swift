/// A graph as data: what every contestant is given, so that all of them run the same one.
///
/// Atoms lie one after another in flat arrays; those of pebble `i` are `atoms(of: i)`, a range of
/// indices into `predecessors` and `awaited`. A pebble only waits for pebbles with a lower index.
/// Where the shape is conjunctive, all atoms wait for success and all must hold. Otherwise a pebble
/// has no atom, or four, and runs when the first two hold or the last two do.
public struct Workload: Sendable {
  /// What it is an example of.
  public let shape: Shape
  /// `p0`, `p1`, …, made outside of every measurement; a pond shares them.
  public let names: [String]
  /// Where the atoms of each pebble begin, and behind the last one, where they end.
  public let offsets: [Int32]
  /// Of each atom, the pebble that it waits for.
  public let predecessors: [Int32]
  /// What is waited for; empty where the shape is conjunctive, where it is always success.
  public let awaited: [Awaited]
  /// Whose body throws after counting.
  public let fails: [Bool]
  /// How long each body sleeps; empty where none does.
  public let sleeps: [Duration]

  /// How many pebbles there are.
  public var count: Int { names.count }
  /// How many outcomes are waited for, in all.
  public var atomCount: Int { predecessors.count }

  /// The indices of the pebble's atoms.
  @inlinable
  public func atoms(of pebble: Int) -> Range<Int> {
    Int(offsets[pebble])..<Int(offsets[pebble + 1])
  }

  /// The indices of the pebbles that `pebble` waits for.
  @inlinable
  public func predecessors(of pebble: Int) -> ArraySlice<Int32> {
    predecessors[atoms(of: pebble)]
  }

  /// How a body ends, or that it never started.
  public enum Ending: Sendable {
    case succeeded, failed, skipped
  }

  /// The outcome that an atom waits for.
  public enum Awaited: CaseIterable, Sendable {
    case succeeded, failed, skipped, completed, settled

    /// Whether a pebble that ended so is what was waited for.
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
  /// Collects pebbles one after another into the flat arrays.
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
