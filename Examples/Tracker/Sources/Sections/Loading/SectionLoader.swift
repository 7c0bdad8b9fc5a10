import AsyncHTTPClient
import Logging
import Pebbles

/// Loads sections: a pond with a pebble for each.
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
/// It keeps nothing of what it has loaded: what a screen shows while, or after, a load failed is
/// the screen's business.
public final class SectionLoader: Sendable {
  /// The pond, for pebbles that need a section, and to be a cluster of another pond.
  public let pond: Pond

  private let answers: any PageAnswering
  private let log: SectionLog
  private let limits: SectionLimits
  private let clock: any Clock<Duration>

  /// Makes a loader without sections.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - client: Makes the requests; its configuration says how redirects are followed.
  ///   - logger: Gets a record for each page that is loaded, or fails, and for each click, with
  ///     `index`, where in the section the item stands, `identifier_of_section` and
  ///     `identifier_of_section_item`; of a page, those of its first item.
  ///   - maxConcurrent: How many sections are loaded at a time; no limit if `nil`.
  ///   - onFailure: What a section that could not be loaded means for the others.
  ///   - limits: How much of each section is loaded at most.
  ///   - clock: Tells when time limits and waits are over.
  public convenience init(
    _ name: String, client: HTTPClient, logger: Logger, maxConcurrent: Int? = nil,
    onFailure: SectionFailurePolicy = .ignore, limits: SectionLimits = SectionLimits(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      name, answers: HTTPAnswers(client), logger: logger, maxConcurrent: maxConcurrent,
      onFailure: onFailure, limits: limits, clock: clock)
  }

  /// Makes a loader without sections, whose pages come from somewhere else than servers.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - answers: Answers the requests.
  ///   - logger: Gets a record for each page and each click.
  ///   - maxConcurrent: How many sections are loaded at a time; no limit if `nil`.
  ///   - onFailure: What a section that could not be loaded means for the others.
  ///   - limits: How much of each section is loaded at most.
  ///   - clock: Tells when time limits and waits are over.
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

  /// Adds a section, for loads that start later.
  ///
  /// - Parameter section: What to load.
  /// - Returns: A handle to it.
  @discardableResult
  public func add<Model>(_ section: Section<Model>) -> LoadableSection<Model> {
    let source = PageSource(section: section, answers: answers, limits: limits)
    let load = SectionLoad(source: source, log: log, clock: clock)
    let pebble = pond.pebble(section.identifier, .traits(section.traits)) {
      try await load.content()
    }
    return LoadableSection(identifier: section.identifier, pebble: pebble)
  }

  /// Loads all sections, or joins the load that is under way: ten pulls are one load.
  ///
  /// Cancelling the calling task cancels the load once all that wait for it have been cancelled.
  ///
  /// - Returns: What has come.
  /// - Throws: `PondError` if two sections have one identifier, or a trait cannot be meant.
  public func refresh() async throws(PondError) -> LoadedSections {
    LoadedSections(report: try await pond.refresh(clock: clock))
  }

  /// Loads some sections, whatever else is under way: after one has failed, say.
  ///
  /// - Parameter pebbles: Those of sections, or of the pond that need one.
  /// - Returns: What has come; the other sections are skipped as not asked for.
  /// - Throws: As ``refresh()``, and if a pebble is not of the loader's pond.
  public func load(
    only pebbles: [any PebbleIdentifying]
  ) async throws(PondError)
    -> LoadedSections
  {
    // As `refresh()` does, so that it does not end with a request that asked for it.
    let report = try await pond.run(only: pebbles, clock: clock, detached: true)
    return LoadedSections(report: report)
  }

  /// Somebody chose an item: makes a log record.
  ///
  /// - Parameters:
  ///   - item: What was chosen.
  ///   - index: Where in the section it stands.
  ///   - section: The section.
  public func clicked<Model>(_ item: Model, at index: Int, in section: LoadableSection<Model>) {
    log.itemClicked(section.identifier, index: index, item: "\(item.id)")
  }
}

/// A section that has been added to a loader.
public struct LoadableSection<Model: Decodable & Identifiable & Sendable>: Sendable {
  /// The identifier of the section.
  public let identifier: String

  /// The pebble that loads it, for conditions and inputs of others in the loader's pond. It fails
  /// with a ``SectionFailure``.
  public let pebble: Pebble<SectionContent<Model>>
}

/// What has come of the sections of a loader.
public struct LoadedSections: Sendable {
  /// What happened, of which.
  public let report: Report

  /// Makes this from the report of a loader's pond, or of a pond that it is part of.
  ///
  /// - Parameter report: What happened.
  public init(report: Report) {
    self.report = report
  }

  /// What has come of a section: all of it, what came before something failed, or nothing.
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
