/// A solver that determines whether a formula in conjunctive normal form can be true.
///
/// It uses conflict-driven clause learning (Marques-Silva and Sakallah, *GRASP*, 1996) with two
/// watched literals (Moskewicz et al., *Chaff*, 2001), built as in MiniSat (Eén and Sörensson, *An
/// extensible SAT-solver*, 2003). Clauses may be added between questions. The assumptions of a
/// question are not added as clauses, so clauses learned for one question are also valid for the
/// next. Variables involved in the latest conflicts are decided first. The order of the variables
/// changes only between questions, because there are many questions, and most of them are easy.
///
/// The solver is deterministic, because it measures work by the number of literals examined, not by
/// time. A question that takes more work than allowed is answered with `undecided`.
struct Solver {
  enum Answer {
    case satisfiable, unsatisfiable, undecided
  }

  /// The clauses, one after another, each stored as the number of its literals followed by the
  /// literals. The first two literals of a clause are watched.
  private var clauses: [UInt32] = []

  /// Lists of clauses, indexed by literal. The list of a literal contains the clauses that watch
  /// the negation of the literal. Each clause is stored as its position in `clauses`.
  private var watches: [[UInt32]] = []

  /// The value of each literal, indexed by literal.
  private var values: [Value] = []

  // The decision level, the reason and a mark of each variable.
  private var levels: [Int32] = []
  private var reasons: [UInt32] = []
  private var isSeen: [Bool] = []

  /// Flags, indexed by literal, that mark the literals of the clause being added. All flags are
  /// `false` between calls to `add(_:)`.
  private var isAdded: [Bool] = []

  /// The number of the latest conflict that involved each variable, indexed by variable. Conflicts
  /// are numbered from 1; 0 means that no conflict has involved the variable.
  private var lastConflicts: [Int] = []
  private var conflictCount = 0

  /// The assigned literals, in the order of their assignment.
  private var trail: [Literal] = []

  /// The length of the trail and the value of `decidedCount` at the beginning of each decision
  /// level.
  private var limits: [(trailCount: Int, decidedCount: Int)] = []
  private var propagated = 0
  private var decidedCount = 0

  /// Whether the formula is false under all assumptions.
  private var isContradiction = false

  /// The number of literals examined so far.
  private(set) var work = 0

  private enum Value: UInt8 {
    case unknown, yes, no
  }

  private static let noReason = UInt32.max

  init() {
    add([addVariable()])
  }

  var variableCount: Int { levels.count }

  /// Adds a variable. If the solver has to guess the value, it guesses true, because bodies usually
  /// succeed.
  mutating func addVariable() -> Literal {
    let variable = variableCount
    values += [.unknown, .unknown]
    watches += [[], []]
    levels.append(0)
    reasons.append(Self.noReason)
    isSeen.append(false)
    isAdded += [false, false]
    lastConflicts.append(0)
    return Literal(variable: variable)
  }

  /// Adds a clause, which requires that at least one of the literals is true.
  ///
  /// - Complexity: O(*n*) for *n* literals. A clause of one literal also takes the time to assign
  ///   the literals that follow from it.
  mutating func add(_ literals: [Literal]) {
    assert(limits.isEmpty)
    var clause: [Literal] = []
    defer { for literal in clause { isAdded[literal.index] = false } }
    for literal in literals where !isAdded[literal.index] {
      if values[literal.index] == .yes || isAdded[(!literal).index] { return }
      guard values[literal.index] == .unknown else { continue }
      isAdded[literal.index] = true
      clause.append(literal)
    }
    guard let first = clause.first else {
      isContradiction = true
      return
    }
    if clause.count == 1 {
      assign(first, because: Self.noReason)
      if propagate() != nil { isContradiction = true }
    } else {
      _ = attach(clause)
    }
  }

  private mutating func attach(_ clause: [Literal]) -> UInt32 {
    let start = UInt32(clauses.count)
    clauses.append(UInt32(clause.count))
    for literal in clause { clauses.append(literal.code) }
    watches[(!clause[0]).index].append(start)
    watches[(!clause[1]).index].append(start)
    return start
  }

  // MARK: Search

  /// Determines whether the formula can be true together with the assumptions.
  ///
  /// - Parameters:
  ///   - assumptions: The literals that must be true for this question.
  ///   - variables: The variables that need a value. Every other variable must be determined by
  ///     these variables, or be irrelevant.
  ///   - mostWork: The number of examined literals after which the search ends with the answer
  ///     `undecided`.
  /// - Returns: The answer and, if it is `satisfiable`, the literals that are true.
  mutating func solve(
    assuming assumptions: [Literal], deciding variables: [Int], mostWork: Int
  ) -> (answer: Answer, model: [Literal]) {
    guard !isContradiction else { return (.unsatisfiable, []) }
    let end = work + mostWork
    let order = variables.sorted { (lastConflicts[$1], $0) < (lastConflicts[$0], $1) }
    decidedCount = 0
    defer { backtrack(to: 0) }
    while true {
      if let conflict = propagate() {
        guard !limits.isEmpty else {
          isContradiction = true
          return (.unsatisfiable, [])
        }
        learn(from: conflict)
        continue
      }
      guard work < end else { return (.undecided, []) }
      switch nextDecision(assumptions, order) {
      case .assume(let literal):
        limits.append((trail.count, decidedCount))
        if let literal { assign(literal, because: Self.noReason) }
      case .refuted: return (.unsatisfiable, [])
      case .complete: return (.satisfiable, trail)
      }
    }
  }

  private enum Decision {
    /// A decision to assume a literal. The literal is `nil` if the next assumption already holds;
    /// the assumption then takes up a decision level, but assigns nothing.
    case assume(Literal?)
    case refuted
    case complete
  }

  private mutating func nextDecision(_ assumptions: [Literal], _ order: [Int]) -> Decision {
    if limits.count < assumptions.count {
      let literal = assumptions[limits.count]
      switch values[literal.index] {
      case .yes: return .assume(nil)
      case .no: return .refuted
      case .unknown: return .assume(literal)
      }
    }
    while decidedCount < order.count {
      let literal = Literal(variable: order[decidedCount])
      if values[literal.index] == .unknown { return .assume(literal) }
      decidedCount += 1
    }
    return .complete
  }

  private mutating func assign(_ literal: Literal, because reason: UInt32) {
    values[literal.index] = .yes
    values[(!literal).index] = .no
    levels[literal.variable] = Int32(limits.count)
    reasons[literal.variable] = reason
    trail.append(literal)
  }

  private mutating func backtrack(to level: Int) {
    guard limits.count > level else { return }
    let limit = limits[level]
    while trail.count > limit.trailCount, let literal = trail.popLast() {
      values[literal.index] = .unknown
      values[(!literal).index] = .unknown
    }
    decidedCount = limit.decidedCount
    limits.removeSubrange(level...)
    propagated = trail.count
  }

  /// Assigns the literals that follow from the assigned ones.
  ///
  /// - Returns: The position of a clause that has become false; `nil` if no clause has become
  ///   false.
  private mutating func propagate() -> UInt32? {
    while propagated < trail.count {
      let literal = trail[propagated]
      propagated += 1
      // The list is taken out while it changes. It is put back below, shortened.
      var watching: [UInt32] = []
      swap(&watching, &watches[literal.index])
      var kept = 0
      var position = 0
      var conflict: UInt32?
      while position < watching.count {
        let clause = watching[position]
        position += 1
        if conflict == nil, moveWatch(of: clause, from: !literal) { continue }
        watching[kept] = clause
        kept += 1
        guard conflict == nil else { continue }
        let first = Literal(code: clauses[Int(clause) + 1])
        switch values[first.index] {
        case .yes: continue
        case .no: conflict = clause
        case .unknown: assign(first, because: clause)
        }
      }
      watching.removeSubrange(kept...)
      swap(&watching, &watches[literal.index])
      if let conflict { return conflict }
    }
    return nil
  }

  /// Makes a clause watch another literal instead of one that has become false.
  ///
  /// - Returns: `true` if the clause now watches another literal; `false` if its first literal is
  ///   already true, or is the only literal that can still make the clause true.
  private mutating func moveWatch(of clause: UInt32, from literal: Literal) -> Bool {
    let start = Int(clause) + 1
    if clauses[start] == literal.code { clauses.swapAt(start, start + 1) }
    work += 1
    if values[Int(clauses[start])] == .yes { return false }
    let end = start + Int(clauses[start - 1])
    var place = start + 2
    while place < end {
      work += 1
      if values[Int(clauses[place])] != .no {
        clauses.swapAt(start + 1, place)
        watches[Int(clauses[start + 1] ^ 1)].append(clause)
        return true
      }
      place += 1
    }
    return false
  }

  /// Learns a clause from a conflict and backtracks. The clause results from the first unique
  /// implication point. The search returns to the level at which the clause implies a literal, and
  /// assigns this literal.
  private mutating func learn(from conflict: UInt32) {
    conflictCount += 1
    var learned: [Literal] = [.always]  // The first place is for the implication point.
    var clause = conflict
    var open = 0
    var position = trail.count
    var implied: Literal?
    repeat {
      let start = Int(clause) + 1
      for place in start..<(start + Int(clauses[start - 1])) {
        let literal = Literal(code: clauses[place])
        let variable = literal.variable
        guard literal != implied, !isSeen[variable], levels[variable] > 0 else { continue }
        isSeen[variable] = true
        lastConflicts[variable] = conflictCount
        if Int(levels[variable]) == limits.count { open += 1 } else { learned.append(literal) }
      }
      work += Int(clauses[start - 1])
      repeat { position -= 1 } while !isSeen[trail[position].variable]
      implied = trail[position]
      isSeen[trail[position].variable] = false
      clause = reasons[trail[position].variable]
      open -= 1
    } while open > 0
    let point = !trail[position]
    learned[0] = point
    for literal in learned { isSeen[literal.variable] = false }

    guard learned.count > 1 else {
      backtrack(to: 0)
      assign(point, because: Self.noReason)
      return
    }
    // The second watch is the literal assigned last, because it is the first to be unassigned
    // again.
    var latest = 1
    for place in 1..<learned.count
    where levels[learned[place].variable] > levels[learned[latest].variable] { latest = place }
    learned.swapAt(1, latest)
    backtrack(to: Int(levels[learned[1].variable]))
    assign(point, because: attach(learned))
  }
}
