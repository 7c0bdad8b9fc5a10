import Pebbles

/// A service that answers questions about people, for any number of concurrent visitors.
///
/// Visitors number their questions. A newer question cancels the search for the previous question.
/// A question with a lower number than the previous one is refused, even though it arrives later.
public actor PeopleService {
  /// The maximum number of rows on a page.
  public static let mostRows = 200

  /// The people to search.
  public nonisolated let people: People

  private let around: Around
  private var state: PeopleState
  private var desks: [VisitorID: Desk] = [:]
  private var runs: [VisitorID: Run] = [:]

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - people: The people to search.
  ///   - mostVisitors: The maximum number of visitors whose lists are kept; at least 1. If there
  ///     are more, the visitor whose last question is oldest is forgotten, and that visitor's next
  ///     request for the list is refused. A list of 500,000 people takes 2 MB.
  ///   - around: Code to run around each part of a search, such as tracing.
  public init(
    _ people: People, mostVisitors: Int = 50,
    around: @escaping Around = { _, body in try await body() }
  ) {
    self.people = people
    self.around = around
    state = PeopleState(mostVisitors: mostVisitors)
  }

  /// Searches for people, and cancels the visitor's previous search if it is still under way. A
  /// repeated question that has been answered is not searched for again.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - visitor: The visitor who asks.
  ///   - revision: The number of the question: greater than the number of the visitor's previous
  ///     question, or the same to repeat that question.
  /// - Returns: The number of matches.
  /// - Throws: ``PeopleError/badRevision`` if the revision is below 0; ``PeopleError/outdated`` if
  ///   the visitor has asked a newer question; ``PeopleError/failed(_:)`` if the search failed, or
  ///   was cancelled because the calling task was cancelled; ``PeopleError/unanswered`` if the
  ///   visitor has repeated the question in the meantime; ``PeopleError/unknown`` if the visitor
  ///   has been forgotten in the meantime.
  public func ask(
    _ question: Question, for visitor: VisitorID, revision: Int
  ) async throws(PeopleError) -> Int {
    if let search = try send(.asked(visitor, revision: revision, question)) {
      await finish(search, for: visitor)
    }
    return try state.listing(for: visitor, revision: revision).count
  }

  /// Returns a page of the matches for an answered question.
  ///
  /// - Parameters:
  ///   - from: The zero-based index of the first row.
  ///   - count: The number of rows, from 1 to ``mostRows``.
  ///   - visitor: The visitor who asked.
  ///   - revision: The number of the question.
  /// - Returns: The people in order; fewer than `count` at the end of the list.
  /// - Throws: ``PeopleError`` if the question has no list, the list ends before `from`, or `from`
  ///   or `count` is invalid.
  /// - Complexity: O(`count`).
  public func rows(
    from: Int, count: Int, for visitor: VisitorID, revision: Int
  ) throws(PeopleError) -> [Person] {
    let listing = try state.listing(for: visitor, revision: revision)
    return try listing.page(from: from, count: count).map { people[Int($0)] }
  }

  /// Chooses one of the matches for a question.
  ///
  /// - Parameters:
  ///   - seed: The seed of the choice. The same seed chooses the same person from the same list.
  ///   - visitor: The visitor who asked.
  ///   - revision: The number of the question.
  /// - Returns: The choice and the person.
  /// - Throws: ``PeopleError/nobody`` if there are no matches; another ``PeopleError`` if the
  ///   question has no list.
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

  /// Applies an action to the state, and executes the resulting commands before any other action
  /// can be applied.
  ///
  /// - Returns: The search that was started, if any.
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
