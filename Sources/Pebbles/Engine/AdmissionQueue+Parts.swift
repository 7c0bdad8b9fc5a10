/// What an admission queue is made of.
extension AdmissionQueue {
  enum Stage {
    /// Not ready yet, or released. Can go to `waiting`.
    case outside
    /// Added and not taken. Can go to `admitted`, or `outside` if it is taken out.
    case waiting
    /// Taken, with all it uses. Can go to `outside`, `using` or `admittedWithoutUses`.
    case admitted
    /// Released, but for what it uses. Can go to `outside`.
    case using
    /// Taken, and has given back what it uses. Can go to `outside`.
    case admittedWithoutUses
  }

  struct PebbleAdmission {
    /// How many of the resources it uses are not granted to it.
    var missingGrants: UInt32 = 0
    var stage = Stage.outside
    /// Whether it is in the heap of candidates, or laid aside. However often it wins and loses a
    /// grant, it is there once, so the heap does not outgrow the pond.
    var isCandidate = false
  }

  struct Resource {
    var free: Int
    var claims = BinaryHeap<Claim>()
    /// The pebble of the least claim, if enough units are free for it.
    var grantee: UInt32?

    init(free: Int) {
      self.free = free
    }
  }

  struct Group {
    /// How many more of its pebbles may run.
    var free: Int

    /// Candidates that came up while it was full.
    var laidAside = BinaryHeap<Claim>()

    init(free: Int) {
      self.free = free
    }
  }

  /// A waiting pebble, as seen by one resource. The better comes first.
  struct Claim: Comparable {
    let rank: UInt32
    let pebble: UInt32
    let units: Int

    static func < (one: Claim, other: Claim) -> Bool { one.rank < other.rank }
  }
}
