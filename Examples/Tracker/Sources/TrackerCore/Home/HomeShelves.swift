import Foundation
import Pebbles
import Sections
import Synchronization

/// The contents of a section.
///
///     nothing ──▶ a problem ──▶ items ◀──▶ items and a problem
///
/// Existing items stay until they are loaded again without a problem. If there are no items yet,
/// the items from an incomplete load are shown, together with the problem that interrupted it.
struct Shelf<Item: Decodable & Identifiable & Sendable>: Sendable {
  /// The items, which may be incomplete; `nil` if no items have been loaded yet.
  private(set) var items: [Item]?

  /// Whether there are more items than were loaded.
  private(set) var hasMore = false

  /// The time at which the items were loaded.
  private(set) var since = Date.distantPast

  /// The reason why the last load failed, worded to follow a colon in a sentence; `nil` if it did
  /// not fail.
  private(set) var problem: String?

  /// Whether no items were requested because the data is still being generated.
  private(set) var isBeingMade = false

  /// Records the end of a load. If it failed or was skipped, existing items are kept.
  ///
  /// - Parameters:
  ///   - content: The loaded content; `nil` if the load failed or was skipped.
  ///   - outcome: The outcome of the load.
  ///   - now: The current time.
  mutating func put(_ content: SectionContent<Item>?, _ outcome: Outcome, at now: Date) {
    let content = content ?? (outcome.error as? SectionFailure<Item>)?.content
    let reason = content?.error ?? outcome.error
    if case .skipped(.disabled) = outcome { isBeingMade = true } else { isBeingMade = false }
    problem = reason.map(Self.clause)
    // Incomplete items are shown only if there are none from an earlier time.
    guard let content, reason == nil || (items == nil && content.pageCount > 0) else { return }
    (items, hasMore, since) = (content.items, !content.isComplete, now)
  }

  /// Records that this section could not be loaded, because its load did not begin.
  mutating func giveUp(_ reason: String) {
    problem = reason
  }

  private static func clause(_ error: any Error) -> String {
    (error as? SectionError)?.reason ?? "\(error)"
  }
}

/// The contents of all sections.
struct HomeContents: Sendable {
  var next = Shelf<Launch>()
  var latest = Shelf<Launch>()
  var failures = Shelf<Launch>()
  var cores = Shelf<FlownCore>()
  var people = Shelf<SomePerson>()

  /// The sections being loaded.
  var loading: Set<HomeSections.Name> = []

  /// Returns the time at which the items of a section were loaded. If the section has no items,
  /// returns `Date.distantPast`.
  func since(_ name: HomeSections.Name) -> Date {
    switch name {
    case .next: next.since
    case .latest: latest.since
    case .failures: failures.since
    case .cores: cores.since
    case .people: people.since
    }
  }

  fileprivate mutating func giveUp(_ name: HomeSections.Name, _ reason: String) {
    switch name {
    case .next: next.giveUp(reason)
    case .latest: latest.giveUp(reason)
    case .failures: failures.giveUp(reason)
    case .cores: cores.giveUp(reason)
    case .people: people.giveUp(reason)
    }
  }
}

/// The contents of the sections, shared by all visitors because Home is the same for everybody.
final class HomeShelves: Sendable {
  private struct State {
    var contents = HomeContents()

    /// The streams that wait for loads, each with the sections that it still waits for.
    var waiting: [(names: Set<HomeSections.Name>, AsyncStream<Never>.Continuation)] = []

    /// Records that the loads of sections have ended.
    ///
    /// - Returns: The streams to finish.
    mutating func loaded(_ names: Set<HomeSections.Name>) -> [AsyncStream<Never>.Continuation] {
      contents.loading.subtract(names)
      for place in waiting.indices { waiting[place].names.subtract(names) }
      defer { waiting.removeAll { $0.names.isEmpty } }
      return waiting.filter { $0.names.isEmpty }.map { $0.1 }
    }
  }

  private let state = Mutex(State())

  /// The current contents.
  var contents: HomeContents { state.withLock(\.contents) }

  /// Records that sections will be loaded, except those already being loaded.
  ///
  /// - Parameter names: The sections to load.
  /// - Returns: The sections that the caller must load.
  func begin(_ names: Set<HomeSections.Name>) -> Set<HomeSections.Name> {
    state.withLock { state in
      let begun = names.subtracting(state.contents.loading)
      state.contents.loading.formUnion(begun)
      return begun
    }
  }

  /// Records the contents of a section, or its failure.
  func put<Item>(
    _ content: SectionContent<Item>?, _ outcome: Outcome, of name: HomeSections.Name,
    on shelf: WritableKeyPath<HomeContents, Shelf<Item>>, at now: Date
  ) {
    loaded([name]) { contents in contents[keyPath: shelf].put(content, outcome, at: now) }
  }

  /// Records that sections could not be loaded.
  ///
  /// - Parameters:
  ///   - names: The sections of a load that did not begin.
  ///   - reason: The reason for the failure, worded to follow a colon.
  func giveUp(_ names: Set<HomeSections.Name>, _ reason: String) {
    loaded(names) { contents in
      for name in names { contents.giveUp(name, reason) }
    }
  }

  /// Waits until the current load of each section has ended, or the task is cancelled.
  func settled(_ names: Set<HomeSections.Name>) async {
    for await _ in settling(names) {}
  }

  /// Returns a stream that finishes when the current load of each section has ended, even if the
  /// section is being loaded again by then.
  func settling(_ names: Set<HomeSections.Name>) -> AsyncStream<Never> {
    let (stream, waiting) = AsyncStream.makeStream(of: Never.self)
    let isSettled = state.withLock { state in
      let loading = state.contents.loading.intersection(names)
      if !loading.isEmpty { state.waiting.append((loading, waiting)) }
      return loading.isEmpty
    }
    if isSettled { waiting.finish() }
    return stream
  }

  private func loaded(_ names: Set<HomeSections.Name>, _ body: (inout HomeContents) -> Void) {
    let due = state.withLock { state in
      body(&state.contents)
      return state.loaded(names)
    }
    for waiting in due { waiting.finish() }
  }
}
