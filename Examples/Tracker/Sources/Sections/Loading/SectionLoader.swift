import AsyncHTTPClient
import Logging
import Pebbles

/// A loader of sections: a pond with a pebble for each section.
///
/// ```swift
/// let home = SectionLoader("home", client: client, logger: logger)
/// let users = home.add(Section("https://…/users", "collection.users", User.self))
/// let news = home.add(Section("https://…/news", "items", Story.self))
///
/// let loaded = try await home.refresh()
/// loaded[users].items  // [User]
/// loaded[news].error  // why there are no more of them, if something failed
/// ```
///
/// A loader does not keep loaded content. The screen decides what to show during a load and after a
/// failure.
public final class SectionLoader: Sendable {
  /// The loader's pond. Pebbles that need a section can be added to the pond, and the pond can be
  /// used as a cluster in another pond.
  public let pond: Pond

  private let answers: any PageAnswering
  private let log: SectionLog
  private let limits: SectionLimits
  private let clock: any Clock<Duration>

  /// Creates a loader without sections.
  ///
  /// - Parameters:
  ///   - name: The name of the loader in reports.
  ///   - client: The client for requests, whose configuration determines how redirects are
  ///     followed.
  ///   - logger: The logger, which records each loaded page, each page at which a section fails,
  ///     and each click. The metadata of a record contains `index`, which is the item's index in
  ///     the section, `identifier_of_section` and `identifier_of_section_item`. In the record of a
  ///     page, they describe the first new item on the page. If the page has no new item, the
  ///     item's identifier is empty. The record of a page also has a `page`, which is the number of
  ///     earlier pages, and either the `count` of new items or an `error`.
  ///   - maxConcurrent: The maximum number of sections loaded concurrently; `nil` for no limit.
  ///   - onFailure: The effect of a failed section on the other sections.
  ///   - limits: The limits of each section.
  ///   - clock: The clock that measures time limits and delays.
  public convenience init(
    _ name: String, client: HTTPClient, logger: Logger, maxConcurrent: Int? = nil,
    onFailure: SectionFailurePolicy = .ignore, limits: SectionLimits = SectionLimits(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      name, answers: HTTPAnswers(client), logger: logger, maxConcurrent: maxConcurrent,
      onFailure: onFailure, limits: limits, clock: clock)
  }

  /// Creates a loader without sections, with a custom source of pages.
  ///
  /// - Parameters:
  ///   - name: The name of the loader in reports.
  ///   - answers: The source of pages, which answers the requests.
  ///   - logger: The logger, which records each page and each click.
  ///   - maxConcurrent: The maximum number of sections loaded concurrently; `nil` for no limit.
  ///   - onFailure: The effect of a failed section on the other sections.
  ///   - limits: The limits of each section.
  ///   - clock: The clock that measures time limits and delays.
  public init(
    _ name: String, answers: any PageAnswering, logger: Logger, maxConcurrent: Int? = nil,
    onFailure: SectionFailurePolicy = .ignore, limits: SectionLimits = SectionLimits(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    pond = Pond(name, maxConcurrent: maxConcurrent, onFailure: onFailure.failurePolicy)
    self.answers = answers
    log = SectionLog(logger: logger)
    self.limits = limits
    self.clock = clock
  }

  /// Adds a section for later loads.
  ///
  /// - Parameter section: The section.
  /// - Returns: A handle to the section.
  @discardableResult
  public func add<Model>(_ section: Section<Model>) -> LoadableSection<Model> {
    let source = PageSource(section: section, answers: answers, limits: limits)
    let load = SectionLoad(source: source, log: log, clock: clock)
    let pebble = pond.pebble(section.identifier, .traits(section.traits)) {
      try await load.content()
    }
    return LoadableSection(identifier: section.identifier, pebble: pebble)
  }

  /// Loads all sections. If a load is already under way, this function joins that load, so
  /// concurrent calls share a single load.
  ///
  /// Cancelling the calling task cancels the load only if all other tasks that wait for the load
  /// have been cancelled as well.
  ///
  /// - Returns: The loaded content.
  /// - Throws: `PondError` if the pond of the loader cannot be refreshed, for example because two
  ///   sections have the same identifier, a trait of a section is invalid, or the caller is a part
  ///   of the load.
  public func refresh() async throws(PondError) -> LoadedSections {
    LoadedSections(report: try await pond.refresh(clock: clock))
  }

  /// Loads the given sections regardless of other loads, for example to retry a failed section.
  ///
  /// - Parameter pebbles: The pebbles of the sections, or pebbles of the pond that need a section.
  /// - Returns: The loaded content. Other sections are skipped, because they were not requested.
  /// - Throws: `PondError` if the pond of the loader cannot be run, as in ``refresh()``, or if
  ///   `pebbles` is empty or contains a pebble that is not in the pond.
  public func load(
    only pebbles: [any PebbleIdentifying]
  ) async throws(PondError)
    -> LoadedSections
  {
    // Detached as in `refresh()`, so that the load does not belong to a body that asks for it.
    let report = try await pond.run(only: pebbles, clock: clock, detached: true)
    return LoadedSections(report: report)
  }

  /// Logs that a user chose an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - index: The item's index in the section.
  ///   - section: The section.
  public func clicked<Model>(_ item: Model, at index: Int, in section: LoadableSection<Model>) {
    log.itemClicked(section.identifier, index: index, item: "\(item.id)")
  }
}

/// A section added to a loader.
public struct LoadableSection<Model: Decodable & Identifiable & Sendable>: Sendable {
  /// The identifier of the section.
  public let identifier: String

  /// The pebble that loads the section. Other pebbles in the loader's pond can use this pebble in
  /// their conditions and inputs. This pebble fails with a ``SectionFailure``, or with the error of
  /// one of its own traits, such as a timeout.
  public let pebble: Pebble<SectionContent<Model>>
}

/// The loaded content of the sections of a loader.
public struct LoadedSections: Sendable {
  /// The report of the load.
  public let report: Report

  /// Creates the content from the report of a loader's pond, or of a pond that contains that pond.
  ///
  /// - Parameter report: The report.
  public init(report: Report) {
    self.report = report
  }

  /// Returns the content of a section. If the section failed, returns the part loaded before the
  /// failure. If the section was skipped, the content is empty.
  public subscript<Model>(section: LoadableSection<Model>) -> SectionContent<Model> {
    switch report.outcome(of: section.pebble) {
    case .succeeded:
      return report[section.pebble] ?? SectionContent()
    case .failed(let error as SectionFailure<Model>):
      return error.content
    case .failed(let error):
      return SectionFailure(SectionContent(), error).content
    case .skipped(let reason):
      var content = SectionContent<Model>()
      content.skipReason = reason
      return content
    }
  }
}
