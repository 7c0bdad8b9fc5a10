/// The state of a ``PeopleService``: the visitors, their questions and the results.
struct PeopleState: Sendable, Equatable {
  /// The maximum number of visitors to remember.
  let mostVisitors: Int

  private(set) var visits: [VisitorID: Visit] = [:]

  /// The visitors, in the order of their last questions, oldest first.
  private(set) var recent: [VisitorID] = []

  private var searchCount = 0

  init(mostVisitors: Int) {
    precondition(mostVisitors > 0, "at least one visitor is remembered")
    self.mostVisitors = mostVisitors
  }
}

/// The last question of a visitor, and its result.
struct Visit: Sendable, Equatable {
  enum Progress: Sendable, Equatable {
    case searching
    case answered(Listing)
    case failed(String)
  }

  let revision: Int
  let question: Question

  /// The number of the search for the question. If the question is repeated before it has been
  /// answered, another search starts, with a new number.
  let search: Int
  var progress = Progress.searching
  var choice: Choice?
}

/// An event that changes the state.
enum PeopleAction: Sendable, Equatable {
  case asked(VisitorID, revision: Int, Question)
  case answered(VisitorID, search: Int, Listing)
  case gaveUp(VisitorID, search: Int, String)
  case chose(VisitorID, revision: Int, seed: UInt32)
}

/// An effect that an action has outside the state.
enum PeopleCommand: Sendable, Equatable {
  /// The cancellation of the visitor's search, if one is under way.
  case stop(VisitorID)
  case search(VisitorID, number: Int, Question)
  /// The removal of the data kept for a visitor.
  case forget(VisitorID)
  case refuse(PeopleError)
}

extension PeopleState {
  /// Applies an action to the state. No other function changes the state, and this function has no
  /// other effects.
  ///
  /// - Returns: The commands to execute, in this order.
  mutating func reduce(_ action: PeopleAction) -> [PeopleCommand] {
    switch action {
    case .asked(let visitor, let revision, let question):
      asked(visitor, revision, question)
    case .answered(let visitor, let search, let listing):
      ended(visitor, search, .answered(listing))
    case .gaveUp(let visitor, let search, let reason):
      ended(visitor, search, .failed(reason))
    case .chose(let visitor, let revision, let seed):
      chose(visitor, revision, seed)
    }
  }

  private mutating func asked(
    _ visitor: VisitorID, _ revision: Int, _ question: Question
  ) -> [PeopleCommand] {
    guard revision >= 0 else { return [.refuse(.badRevision)] }
    let known = visits[visitor]
    if let known, known.revision > revision { return [.refuse(.outdated)] }
    recent.removeAll { $0 == visitor }
    recent.append(visitor)
    // The question has come twice, and has already been answered.
    if let known, known.revision == revision, known.question == question,
      case .answered = known.progress
    {
      return []
    }
    searchCount += 1
    visits[visitor] = Visit(revision: revision, question: question, search: searchCount)
    var commands: [PeopleCommand] = known?.progress == .searching ? [.stop(visitor)] : []
    if recent.count > mostVisitors {
      let oldest = recent.removeFirst()
      visits[oldest] = nil
      commands += [.stop(oldest), .forget(oldest)]
    }
    return commands + [.search(visitor, number: searchCount, question)]
  }

  /// Records the end of a search, unless the search is outdated.
  private mutating func ended(
    _ visitor: VisitorID, _ search: Int, _ progress: Visit.Progress
  ) -> [PeopleCommand] {
    guard let visit = visits[visitor], visit.search == search, visit.progress == .searching
    else { return [] }
    visits[visitor]?.progress = progress
    return []
  }

  private mutating func chose(
    _ visitor: VisitorID, _ revision: Int, _ seed: UInt32
  ) -> [PeopleCommand] {
    do throws(PeopleError) {
      let listing = try listing(for: visitor, revision: revision)
      guard !listing.isEmpty else { return [.refuse(.nobody)] }
      var random = SplitMix64(seed: UInt64(seed))
      visits[visitor]?.choice = Choice(seed: seed, place: random.next(below: listing.count))
      return []
    } catch {
      return [.refuse(error)]
    }
  }

  /// Returns the answer to a question.
  func listing(for visitor: VisitorID, revision: Int) throws(PeopleError) -> Listing {
    guard let visit = visits[visitor] else { throw .unknown }
    guard visit.revision <= revision else { throw .outdated }
    guard visit.revision == revision else { throw .unanswered }
    switch visit.progress {
    case .searching: throw .unanswered
    case .answered(let listing): return listing
    case .failed(let reason): throw .failed(reason)
    }
  }
}
