import Foundation
import Pebbles
import Sections
import Synchronization

/// What is there of one section.
///
///     nothing ──▶ a problem ◀──▶ items ──▶ items and a problem: what is left of an earlier time
struct Shelf<Item: Decodable & Identifiable & Sendable>: Sendable {
  /// What came, if only in part.
  private(set) var items: [Item]?

  /// Whether there are more than were asked for.
  private(set) var hasMore = false

  /// Of when the items are.
  private(set) var since = Date.distantPast

  /// Why the newest load failed, as a clause; `nil` if it did not.
  private(set) var problem: String?

  /// Whether nothing was asked for, since there is nothing yet.
  private(set) var isBeingMade = false

  /// A load has ended. What it could not get stays as it was.
  ///
  /// - Parameters:
  ///   - content: What came of it; `nil` if it failed or was not made.
  ///   - outcome: How it ended.
  ///   - now: When.
  mutating func put(_ content: SectionContent<Item>?, _ outcome: Outcome, at now: Date) {
    let content = content ?? (outcome.error as? SectionFailure<Item>)?.content
    let reason = content?.error ?? outcome.error
    if case .skipped(.disabled) = outcome { isBeingMade = true } else { isBeingMade = false }
    problem = reason.map(Self.clause)
    // What came before something failed is shown only where nothing is left of an earlier time.
    guard let content, reason == nil || (items == nil && content.pageCount > 0) else { return }
    (items, hasMore, since) = (content.items, !content.isComplete, now)
  }

  /// A load has ended, and nothing was said of this section.
  mutating func giveUp(_ reason: String) {
    problem = reason
  }

  private static func clause(_ error: any Error) -> String {
    (error as? SectionError)?.reason ?? "\(error)"
  }
}

/// What is there of all sections.
struct HomeContents: Sendable {
  var next = Shelf<Launch>()
  var latest = Shelf<Launch>()
  var failures = Shelf<Launch>()
  var cores = Shelf<FlownCore>()
  var people = Shelf<SomePerson>()

  /// Which are being loaded.
  var loading: Set<HomeSections.Name> = []

  /// Of when the items of a section are; long ago, if there are none.
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

/// Keeps what has come of the sections, for all who look: Home is the same for everybody.
final class HomeShelves: Sendable {
  private struct State {
    var contents = HomeContents()

    /// Finished once none of their sections is being loaded.
    var waiting: [(names: Set<HomeSections.Name>, AsyncStream<Never>.Continuation)] = []
  }

  private let state = Mutex(State())

  /// What is there.
  var contents: HomeContents { state.withLock(\.contents) }

  /// Some sections are to be loaded: of those that are being loaded already, no second time.
  ///
  /// - Parameter names: Which ones.
  /// - Returns: Those that whoever asks has to load.
  func begin(_ names: Set<HomeSections.Name>) -> Set<HomeSections.Name> {
    state.withLock { state in
      let begun = names.subtracting(state.contents.loading)
      state.contents.loading.formUnion(begun)
      return begun
    }
  }

  /// A section has come, or failed.
  func put<Item>(
    _ content: SectionContent<Item>?, _ outcome: Outcome, of name: HomeSections.Name,
    on shelf: WritableKeyPath<HomeContents, Shelf<Item>>, at now: Date
  ) {
    change { contents in
      contents[keyPath: shelf].put(content, outcome, at: now)
      contents.loading.remove(name)
    }
  }

  /// A load is over. What has not come by now does not come any more.
  ///
  /// - Parameters:
  ///   - names: Which sections it was for.
  ///   - reason: Why, as a clause.
  func end(_ names: Set<HomeSections.Name>, _ reason: String) {
    change { contents in
      for name in names where contents.loading.remove(name) != nil {
        contents.giveUp(name, reason)
      }
    }
  }

  /// Waits until none of some sections is being loaded, or the task is cancelled.
  func settled(_ names: Set<HomeSections.Name>) async {
    let (stream, waiting) = AsyncStream.makeStream(of: Never.self)
    let isSettled = state.withLock { state in
      if state.contents.loading.isDisjoint(with: names) { return true }
      state.waiting.append((names, waiting))
      return false
    }
    if isSettled { waiting.finish() }
    for await _ in stream {}
  }

  private func change(_ body: (inout HomeContents) -> Void) {
    let due = state.withLock { state in
      body(&state.contents)
      let loading = state.contents.loading
      let due = state.waiting.filter { loading.isDisjoint(with: $0.names) }
      state.waiting.removeAll { loading.isDisjoint(with: $0.names) }
      return due
    }
    for (_, waiting) in due { waiting.finish() }
  }
}
