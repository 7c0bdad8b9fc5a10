import Foundation
import Pebbles

/// A description of a list that is loaded page by page, with its source and the type of its items.
///
/// ```swift
/// let users = Section("https://api.example.com/users", "collection.users", User.self,
///   paging: .page(size: 50), .enabled { flags.community },
///   requests: { request in
///     [.timeout(.seconds(5)), .retry(.attempts(3, only: SectionError.isTransient))]
///   })
/// ```
///
/// A ``SectionLoader`` loads the list.
public struct Section<Model: Decodable & Identifiable & Sendable>: Sendable {
  enum Source: Sendable {
    case url(String)
    case local(Data)
  }

  /// The name of the section in reports, logs and errors.
  public let identifier: String

  let source: Source
  let keyPath: JSONKeyPath
  let paging: SectionPaging
  let headers: [String: String]
  let traits: [PebbleTrait]
  let requestTraits: @Sendable (SectionRequest) -> [PebbleTrait]
  let makeDecoder: @Sendable () -> JSONDecoder

  /// Creates a section from an address.
  ///
  /// - Parameters:
  ///   - url: The URL of the first page. The paging rule adds to its query.
  ///   - keyPath: The location of the list of items in a page.
  ///   - model: The type of the items.
  ///   - identifier: The name of the section, not empty and unique in its loader; by default, the
  ///     URL without its query, followed by the key path.
  ///   - paging: The rule for the order of pages.
  ///   - headers: The headers of every request.
  ///   - traits: The traits of the section as a pebble, such as `.enabled { … }`. If the whole
  ///     section times out, the pages already loaded are lost, so put timeouts on the requests
  ///     instead.
  ///   - requestTraits: A closure that returns the traits of the pebble that requests a page: a
  ///     time limit, a number of attempts, or a condition for making the request at all. By
  ///     default, the time limit is ten seconds.
  ///   - decoder: A closure that creates the decoder for a page.
  public init(
    _ url: String, _ keyPath: JSONKeyPath = .root, _ model: Model.Type = Model.self,
    identifier: String? = nil, paging: SectionPaging = .none, headers: [String: String] = [:],
    _ traits: PebbleTrait...,
    requests requestTraits: @escaping @Sendable (SectionRequest) -> [PebbleTrait] = { _ in
      [.timeout(.seconds(10))]
    },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) {
    let place = url.prefix { $0 != "?" && $0 != "#" }
    self.identifier = identifier ?? (keyPath == .root ? "\(place)" : "\(place)#\(keyPath)")
    source = .url(url)
    self.keyPath = keyPath
    self.paging = paging
    self.headers = headers
    self.traits = traits
    self.requestTraits = requestTraits
    makeDecoder = decoder
  }

  /// Creates a section from a local document.
  ///
  /// - Parameters:
  ///   - document: The document, as JSON.
  ///   - keyPath: The location of the list of items in the document.
  ///   - model: The type of the items.
  ///   - identifier: The name of the section; not empty, and unique in its loader.
  ///   - traits: The traits of the section as a pebble, such as `.enabled { … }`.
  ///   - decoder: A closure that creates the decoder for the document.
  public init(
    local document: Data, _ keyPath: JSONKeyPath = .root, _ model: Model.Type = Model.self,
    identifier: String, _ traits: PebbleTrait...,
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) {
    self.identifier = identifier
    source = .local(document)
    self.keyPath = keyPath
    paging = .none
    headers = [:]
    self.traits = traits
    requestTraits = { _ in [] }
    makeDecoder = decoder
  }
}
