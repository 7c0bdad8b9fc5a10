import AsyncHTTPClient
import Logging
import Pebbles
import Sections

/// The screens of an app for the tracker, as sections of what its server answers.
///
/// ```swift
/// let screens = Screens(of: "http://127.0.0.1:8080", client: client, logger: logger)
/// let home = try await screens.home.loader.refresh()
/// home[screens.home.latest].items
/// ```
public struct Screens: Sendable {
  /// What comes next, and what was last.
  public let home: Home

  /// All launches.
  public let launches: Launches

  /// The rockets, and their first stages.
  public let rockets: Rockets

  /// Makes the screens.
  ///
  /// - Parameters:
  ///   - server: The address of a tracker, without a slash at the end.
  ///   - client: Makes the requests.
  ///   - logger: Gets a record for each page and each click.
  public init(of server: String, client: HTTPClient, logger: Logger) {
    home = Home(server, SectionLoader("home", client: client, logger: logger))
    launches = Launches(server, SectionLoader("launches", client: client, logger: logger))
    rockets = Rockets(server, SectionLoader("rockets", client: client, logger: logger))
  }

  /// The first screen: two sections of one document.
  public struct Home: Sendable {
    /// Loads it.
    public let loader: SectionLoader

    /// The launches that come next, the first of them first.
    public let next: LoadableSection<Launch>

    /// The launches that were last, the last of them first.
    public let latest: LoadableSection<Launch>

    init(_ server: String, _ loader: SectionLoader) {
      self.loader = loader
      next = loader.add(Section("\(server)/home", "next", identifier: "home.next", requests: calm))
      latest = loader.add(
        Section("\(server)/home", "latest", identifier: "home.latest", requests: calm))
    }
  }

  /// The screen of all launches, newest first; each page names the one after it.
  public struct Launches: Sendable {
    /// Loads it.
    public let loader: SectionLoader

    /// All launches.
    public let all: LoadableSection<Launch>

    init(_ server: String, _ loader: SectionLoader) {
      self.loader = loader
      all = loader.add(
        Section(
          "\(server)/launches", "launches", identifier: "launches.all",
          paging: .token(key: "page", at: "next"), requests: calm))
    }
  }

  /// The screen of rockets, in one page, and of cores, in pages with numbers.
  public struct Rockets: Sendable {
    /// Loads it.
    public let loader: SectionLoader

    /// The rockets, those that flew most first.
    public let rockets: LoadableSection<Rocket>

    /// The first stages, by their serial.
    public let cores: LoadableSection<Core>

    init(_ server: String, _ loader: SectionLoader) {
      self.loader = loader
      rockets = loader.add(
        Section("\(server)/rockets", "rockets", identifier: "rockets.all", requests: calm))
      cores = loader.add(
        Section(
          "\(server)/cores", "cores", identifier: "rockets.cores",
          paging: .page(size: 50, ahead: 2), requests: calm))
    }
  }

  /// A rocket, and how often it flew.
  public struct Rocket: Sendable, Hashable, Codable, Identifiable {
    /// Tells rockets apart.
    public let id: String

    /// How many launches it has, those to come included.
    public let launches: Int

    /// How many of them went well.
    public let successes: Int

    /// How many are to come.
    public let upcoming: Int

    /// When the last of them is or was, in Unix seconds.
    public let latest: Int64
  }
}

/// A screen waits five seconds for each page, and tries again what may go better then.
@Sendable private func calm(_ request: SectionRequest) -> [PebbleTrait] {
  [
    .timeout(.seconds(5)),
    .retry(
      .backoff(attempts: 3, initial: .milliseconds(200), only: SectionError.isTransient)),
  ]
}
