/// In which orders ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)`` and its siblings
/// let tasks run.
///
/// Whenever several tasks could go on, one of them is chosen, and runs until it next suspends. A
/// *schedule* is the sequence of these choices.
public struct Schedules: Sendable, Hashable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    case random(count: Int, seed: UInt64)
    case exhaustive(limit: Int)
    case pct(count: Int, depth: Int, seed: UInt64)
    case replay([[Int]]?)
    case inOrder
  }

  let kind: Kind

  /// How it would be written.
  public let description: String

  /// Every choice is drawn at random, each possibility as likely as the others.
  ///
  /// - Parameters:
  ///   - count: How many schedules; at least 1.
  ///   - seed: Same seed, same schedules. Schedule *n*, from 0, is the first one of `seed + n`.
  /// - Returns: The schedules.
  public static func random(count: Int = 100, seed: UInt64 = 0) -> Schedules {
    Schedules(
      kind: .random(count: count, seed: seed),
      description: ".random(count: \(count), seed: \(seed))")
  }

  /// All schedules there are, one after the other, in the order of a depth-first search.
  ///
  /// Their number is exponential in that of the tasks and of their steps: for small ponds.
  /// ``Exploration/isComplete`` says whether all have been tried.
  ///
  /// - Parameter limit: How many to try at most; at least 1.
  /// - Returns: The schedules.
  public static func exhaustive(limit: Int = 10_000) -> Schedules {
    Schedules(kind: .exhaustive(limit: limit), description: ".exhaustive(limit: \(limit))")
  }

  /// Probabilistic concurrency testing: tasks have random priorities, of which a few change at
  /// random moments.
  ///
  /// Finds bugs that take a few unlucky steps in a certain order better than
  /// ``random(count:seed:)``, because it can hold one task back for long. From S. Burckhardt,
  /// P. Kothari, M. Musuvathi, S. Nagarakatte, *A randomized scheduler with probabilistic
  /// guarantees of finding bugs*, ASPLOS 2010: a schedule finds a bug of that depth with a
  /// probability of at least 1 / (*n* · *k* ^ (`depth` − 1)), for *n* tasks and *k* steps. The
  /// first schedule is there to find out *k*, and has no changes; *k* is that of the longest one so
  /// far.
  ///
  /// - Parameters:
  ///   - count: How many schedules; at least 1.
  ///   - depth: How many steps have to come in a certain order for a bug to show; at least 1. Most
  ///     bugs have a depth of 1 to 3.
  ///   - seed: Same seed, same schedules.
  /// - Returns: The schedules.
  public static func pct(count: Int = 100, depth: Int = 3, seed: UInt64 = 0) -> Schedules {
    Schedules(
      kind: .pct(count: count, depth: depth, seed: seed),
      description: ".pct(count: \(count), depth: \(depth), seed: \(seed))")
  }

  /// Schedules again, as a ``ScheduleFailure`` gives them; see ``ScheduleFailure/replay``.
  ///
  /// - Parameter schedules: One or more, in the order in which they are run. Each is like
  ///   ``ScheduleFailure/schedule``: the choices, from 0, with points between them; where there are
  ///   no more, the first possibility is chosen.
  /// - Returns: The schedules.
  public static func replay(_ schedules: String...) -> Schedules {
    replay(schedules)
  }

  static func replay(_ schedules: [String]) -> Schedules {
    let choices = schedules.compactMap { Self.choices(in: $0) }
    let list = schedules.map { "\"\($0)\"" }.joined(separator: ", ")
    return Schedules(
      kind: .replay(choices.count == schedules.count ? choices : nil),
      description: ".replay(\(list))")
  }

  /// First come, first served.
  static let inOrder = Schedules(kind: .inOrder, description: ".inOrder")

  func makeStrategy() throws(ExplorationError) -> any Strategy {
    switch kind {
    case .random(let count, let seed):
      if count < 1 { throw .invalid("\(self) tries no schedule; the count must be 1 or more") }
      return RandomWalk(count: count, seed: seed)
    case .exhaustive(let limit):
      if limit < 1 { throw .invalid("\(self) tries no schedule; the limit must be 1 or more") }
      return DepthFirst(limit: limit)
    case .pct(let count, let depth, let seed):
      if count < 1 { throw .invalid("\(self) tries no schedule; the count must be 1 or more") }
      guard (1...1_000).contains(depth) else {
        throw .invalid("\(self) is not possible; the depth must be from 1 to 1000")
      }
      return PriorityStrategy(count: count, depth: depth, seed: seed)
    case .inOrder:
      return InOrder()
    case .replay(let schedules?):
      if schedules.isEmpty { throw .invalid("\(self) tries no schedule; name one or more") }
      return Repetition(schedules)
    case .replay(nil):
      throw .invalid("\(self) is not a schedule; it must be numbers with points between them")
    }
  }
}
