/// The building blocks of an admission queue.
extension AdmissionQueue {
  enum Stage {
    /// A pebble that is not ready yet, or has been released or removed. Can go to `waiting`.
    case outside
    /// A pebble that was added and not yet taken. Can go to `admitted`, or to `outside` if it is
    /// removed.
    case waiting
    /// A pebble that was taken and holds everything it uses. Can go to `outside`, `using` or
    /// `admittedWithoutUses`.
    case admitted
    /// A pebble that was released but keeps its units. Can go to `outside`.
    case using
    /// A pebble that was taken and has given back its units. Can go to `outside`.
    case admittedWithoutUses
  }

  struct PebbleAdmission {
    /// The number of resources that the pebble uses but that are not granted to it.
    var missingGrants: UInt32 = 0
    var stage = Stage.outside
    /// Whether the pebble is in the heap of candidates or deferred. A pebble that wins and loses
    /// grants repeatedly is listed only once, so the heap never outgrows the pond.
    var isCandidate = false
  }

  struct Resource {
    var free: Int
    var claims = BinaryHeap<Claim>()
    /// The pebble of the best claim, if enough units are free for it; otherwise `nil`.
    var grantee: UInt32?

    init(free: Int) {
      self.free = free
    }
  }

  struct Group {
    /// The number of further pebbles of the group that may run.
    var free: Int

    /// The candidates that reached the top of the heap while the group was full.
    var deferred = BinaryHeap<Claim>()

    init(free: Int) {
      self.free = free
    }
  }

  /// The claim of a waiting pebble to one resource. A better claim compares as less.
  struct Claim: Comparable {
    let rank: UInt32
    let pebble: UInt32
    let units: Int

    static func < (one: Claim, other: Claim) -> Bool { one.rank < other.rank }
  }
}
