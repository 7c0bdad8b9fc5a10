/// The building blocks of an admission queue.
extension AdmissionQueue {
  enum Stage {
    /// A pebble that is not ready yet, or that has been released or removed. It can become
    /// `waiting`.
    case outside
    /// A pebble that was added and has not been taken yet. It can become `admitted`, or `outside`
    /// if it is removed.
    case waiting
    /// A pebble that was taken and holds everything that it uses. It can become `outside`, `using`
    /// or `admittedWithoutUses`.
    case admitted
    /// A pebble that was released but keeps its units. It can become `outside`.
    case using
    /// A pebble that was taken and has released its units, but not its place. It can become
    /// `outside`.
    case admittedWithoutUses
  }

  struct PebbleAdmission {
    /// The number of resources that the pebble uses but has not been granted.
    var missingGrants: UInt32 = 0
    var stage = Stage.outside
    /// Whether the pebble is in the heap of candidates or deferred with a group. The flag ensures
    /// that the pebble is listed only once, even if it repeatedly gains and loses grants.
    var isCandidate = false
  }

  struct Resource {
    var free: Int
    var claims = BinaryHeap<Claim>()
    /// The pebble with the best claim if enough units are free for that claim; otherwise `nil`.
    var grantee: UInt32?

    init(free: Int) {
      self.free = free
    }
  }

  struct Group {
    /// The number of free places in the group.
    var free: Int

    /// The candidates that were deferred because the group was full when they reached the top of
    /// the heap.
    var deferred = BinaryHeap<Claim>()

    init(free: Int) {
      self.free = free
    }
  }

  /// A waiting pebble's claim on one resource. A better claim compares as less than a worse one.
  struct Claim: Comparable {
    let rank: UInt32
    let pebble: UInt32
    let units: Int

    static func < (one: Claim, other: Claim) -> Bool { one.rank < other.rank }
  }
}
