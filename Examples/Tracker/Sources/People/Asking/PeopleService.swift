import Pebbles

/// Answers questions about people, to any number of visitors at a time.
///
/// A visitor numbers its questions. A newer question cancels the search for the one before, whose
/// answer is not given any more, in whatever order questions arrive.
public actor PeopleService {
  /// The most rows of one page.
  public static let mostRows = 200

  /// Who is looked for.
  public nonisolated let people: People

  private let around: Around
  private var state: PeopleState
  private var desks: [VisitorID: Desk] = [:]
  private var runs: [VisitorID: Run] = [:]

  /// - Parameters:
  ///   - people: Who is looked for.
  ///   - mostVisitors: For how many visitors lists are kept, at least 1. Then the one who has not
  ///     asked for longest is forgotten, and told so. A list of 500,000 people takes 2 MB.
  ///   - around: Code around each part of a search, such as tracing.
  public init(
    _ people: People, mostVisitors: Int = 50,
    around: @escaping Around = { _, body in try await body() }
  ) {
    self.people = people
    self.around = around
    state = PeopleState(mostVisitors: mostVisitors)
  }

  /// Looks for people. What only an earlier question of the visitor asked is not looked for any
  /// more.
  ///
  /// - Parameters:
  ///   - question: Who is looked for.
  ///   - visitor: For whom.
  ///   - revision: The number of the question, greater than that of the one before.
  /// - Returns: How many match.
  /// - Throws: ``PeopleError/outdated`` if a newer question has come, ``PeopleError/failed(_:)`` if
  ///   the search failed, or was cancelled because the calling task was.
  public func ask(
    _ question: Question, for visitor: VisitorID, revision: Int
  ) async throws(PeopleError) -> Int {
    if let search = try send(.asked(visitor, revision: revision, question)) {
      await finish(search, for: visitor)
    }
    return try state.listing(for: visitor, revision: revision).count
  }

  /// Some of those who match a question that has been answered.
  ///
  /// - Parameters:
  ///   - from: The place of the first, from 0.
  ///   - count: How many, from 1 to ``mostRows``.
  ///   - visitor: For whom.
  ///   - revision: The number of the question.
  /// - Returns: Them in order; fewer where the list ends.
  /// - Throws: ``PeopleError`` if there is no such list, or it has no such places.
  /// - Complexity: O(`count`).
  public func rows(
    from: Int, count: Int, for visitor: VisitorID, revision: Int
  ) throws(PeopleError) -> [Person] {
    let listing = try state.listing(for: visitor, revision: revision)
    return try listing.page(from: from, count: count).map { people[Int($0)] }
  }

  /// Chooses one of those who match a question.
  ///
  /// - Parameters:
  ///   - seed: What determines the choice: the same of the same list again.
  ///   - visitor: For whom.
  ///   - revision: The number of the question.
  /// - Returns: The choice and who it is.
  /// - Throws: ``PeopleError/nobody`` if nobody matches, or another error if there is no such list.
  public func choose(
    seed: UInt32, for visitor: VisitorID, revision: Int
  ) throws(PeopleError) -> (Choice, Person) {
    _ = try send(.chose(visitor, revision: revision, seed: seed))
    let listing = try state.listing(for: visitor, revision: revision)
    guard let choice = state.visits[visitor]?.choice else { throw .unknown }
    return (choice, people[Int(listing.numbers[choice.place])])
  }

  // MARK: What the state asks for

  private struct Search {
    let number: Int
    let desk: Desk
    let run: Run
  }

  /// Takes over what happened and does what is to be done about it, before anything else happens.
  ///
  /// - Returns: The search that was started, if one was.
  private func send(_ action: PeopleAction) throws(PeopleError) -> Search? {
    var started: Search?
    for command in state.reduce(action) {
      switch command {
      case .stop(let visitor): runs.removeValue(forKey: visitor)?.cancel()
      case .forget(let visitor): desks[visitor] = nil
      case .refuse(let error): throw error
      case .search(let visitor, let number, let question):
        let desk = desks[visitor] ?? Desk(people, around: around)
        desks[visitor] = desk
        do {
          let run = try desk.search(question)
          runs[visitor] = run
          started = Search(number: number, desk: desk, run: run)
        } catch {
          _ = state.reduce(.gaveUp(visitor, search: number, "\(error)"))
        }
      }
    }
    return started
  }

  private func finish(_ search: Search, for visitor: VisitorID) async {
    let end: PeopleAction
    do {
      let report = try await withTaskCancellationHandler {
        try await search.run.report
      } onCancel: {
        search.run.cancel()
      }
      let listing = try search.desk.listing(in: report)
      end = .answered(visitor, search: search.number, listing)
    } catch {
      end = .gaveUp(visitor, search: search.number, "\(error)")
    }
    if runs[visitor] === search.run { runs[visitor] = nil }
    _ = state.reduce(end)
  }
}
