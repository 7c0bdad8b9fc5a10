/// A set of schedules that ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)`` and its
/// overloads can try.
///
/// Whenever several tasks could run, one of them is chosen and runs until it next suspends. A
/// *schedule* is the sequence of these choices.
public struct Schedules: Sendable, Hashable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    case random(count: Int, seed: UInt64)
    case exhaustive(limit: Int)
    case pct(count: Int, depth: Int, seed: UInt64)
    case replay([[Int]]?)
  }

  let kind: Kind

  /// The schedules as a Swift expression.
  public let description: String

  /// Returns schedules in which every choice is random, with equal probability for each
  /// possibility.
  ///
  /// - Parameters:
  ///   - count: The number of schedules; at least 1.
  ///   - seed: The seed; the same seed gives the same schedules. The schedule with the zero-based
  ///     number *n* is the first schedule of the seed `seed + n`.
  /// - Returns: The schedules.
  public static func random(count: Int = 100, seed: UInt64 = 0) -> Schedules {
    Schedules(
      kind: .random(count: count, seed: seed),
      description: ".random(count: \(count), seed: \(seed))")
  }

  /// Returns all possible schedules, in the order of a depth-first search.
  ///
  /// Because the number of schedules is exponential in the number of tasks and steps, this method
  /// is meant for small ponds. ``Exploration/isComplete`` indicates whether all schedules were
  /// tried.
  ///
  /// - Parameter limit: The maximum number of schedules to try; at least 1.
  /// - Returns: The schedules.
  public static func exhaustive(limit: Int = 10_000) -> Schedules {
    Schedules(kind: .exhaustive(limit: limit), description: ".exhaustive(limit: \(limit))")
  }

  /// Returns schedules for probabilistic concurrency testing: tasks have random priorities, and a
  /// few priorities change at random moments.
  ///
  /// Some bugs occur only if a few steps happen in a certain order. These schedules find such bugs
  /// more easily than ``random(count:seed:)``, because they can hold back one task for a long time.
  ///
  /// For *n* tasks and *k* steps, a schedule finds a bug of depth `depth` with a probability of at
  /// least 1 / (*n* · *k* ^ (`depth` − 1)). The first schedule measures *k*, and no priority
  /// changes in it. For each later schedule, *k* is the number of steps in the longest schedule so
  /// far. See S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, *A randomized scheduler with
  /// probabilistic guarantees of finding bugs*, ASPLOS 2010.
  ///
  /// - Parameters:
  ///   - count: The number of schedules; at least 1.
  ///   - depth: The number of steps that must happen in a certain order for the bug to occur; at
  ///     least 1, at most 1000. Most bugs have a depth of 1 to 3.
  ///   - seed: The seed; the same seed gives the same schedules.
  /// - Returns: The schedules.
  public static func pct(count: Int = 100, depth: Int = 3, seed: UInt64 = 0) -> Schedules {
    Schedules(
      kind: .pct(count: count, depth: depth, seed: seed),
      description: ".pct(count: \(count), depth: \(depth), seed: \(seed))")
  }

  /// Returns schedules that repeat earlier ones; see ``ScheduleFailure/replay``.
  ///
  /// - Parameter schedules: One or more schedules, run in this order. Each has the format of
  ///   ``ScheduleFailure/schedule``: the zero-based choices, separated by full stops. After the
  ///   last recorded choice, the first possibility is always chosen.
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

  /// A single schedule, in which tasks run in the order in which they became runnable.
  static let inOrder = replay("")

  func makeStrategy() throws(ExplorationError) -> any Strategy {
    switch kind {
    case .random(let count, let seed):
      if count < 1 { throw .invalid("\(self) tries no schedule; the count must be 1 or more") }
      return RandomStrategy(count: count, seed: seed)
    case .exhaustive(let limit):
      if limit < 1 { throw .invalid("\(self) tries no schedule; the limit must be 1 or more") }
      return DepthFirstStrategy(limit: limit)
    case .pct(let count, let depth, let seed):
      if count < 1 { throw .invalid("\(self) tries no schedule; the count must be 1 or more") }
      guard (1...1_000).contains(depth) else {
        throw .invalid("\(self) is not possible; the depth must be from 1 to 1000")
      }
      return PriorityStrategy(count: count, depth: depth, seed: seed)
    case .replay(let schedules?):
      if schedules.isEmpty { throw .invalid("\(self) tries no schedule; name one or more") }
      return ReplayStrategy(schedules)
    case .replay(nil):
      throw .invalid("\(self) is not a schedule; it must be numbers with points between them")
    }
  }
}

/// A rule that determines when the clock may advance while schedules are explored.
public enum Timers: Sendable, Hashable {
  /// A rule that lets the clock advance only when no task can run: time stands still while anything
  /// runs on the schedule's thread. There are far fewer schedules than with ``anytime``. A task
  /// times out only if it really waits, or if its work on another thread takes too long; see
  /// ``explore(schedules:clock:timers:stepLimit:patience:grace:_:)``.
  case whenIdle

  /// A rule that lets the clock advance at any time, as if any task might have to wait for a
  /// processor. A task can therefore time out in the middle of its work, and bodies may end
  /// differently in different schedules.
  case anytime
}

// A schedule as text: its choices separated by points, as in `2.0.1`.
extension [ScheduleLoop.Choice] {
  /// The choices as a string. Trailing choices of the first possibility are omitted, because a
  /// replay makes them anyway.
  var text: String {
    let end = (lastIndex { $0.index > 0 } ?? -1) + 1
    return self[..<end].map { "\($0.index)" }.joined(separator: ".")
  }
}

extension Schedules {
  /// Returns the choices listed in a string; `nil` if the string is not a list of choices.
  static func choices(in text: String) -> [Int]? {
    if text.isEmpty { return [] }
    var choices: [Int] = []
    for number in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let choice = Int(number), choice >= 0 else { return nil }
      choices.append(choice)
    }
    return choices
  }
}
