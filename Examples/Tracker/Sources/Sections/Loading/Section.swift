import Foundation
import Pebbles

/// A list that is loaded page by page: where it comes from, and what its items are.
///
/// ```swift
/// let users = Section("https://api.example.com/users", "collection.users", User.self,
///   paging: .page(size: 50), .enabled { flags.community }
/// ) { request in
///   [.timeout(.seconds(5)), .retry(.attempts(3, only: SectionError.isTransient))]
/// }
/// ```
///
/// A value that says what to load; a ``SectionLoader`` loads it.
public struct Section<Model: Decodable & Identifiable & Sendable>: Sendable {
  enum Source: Sendable {
    case url(String)
    case local(Data)
  }

  /// What the section is called in reports, logs and errors.
  public let identifier: String

  let source: Source
  let keyPath: JSONKeyPath
  let paging: SectionPaging
  let headers: [String: String]
  let traits: [PebbleTrait]
  let requestTraits: @Sendable (SectionRequest) -> [PebbleTrait]
  let makeDecoder: @Sendable () -> JSONDecoder

  /// Makes a section from an address.
  ///
  /// - Parameters:
  ///   - url: Where its first page is. The rule of paging adds to its query.
  ///   - keyPath: Where in a page the list of items stands.
  ///   - model: What an item is.
  ///   - identifier: What the section is called, not empty and unique in its loader; by default its
  ///     address, without the query, and its key path.
  ///   - paging: How pages follow each other.
  ///   - headers: Headers of every request.
  ///   - traits: What the section is given as a pebble, such as `.enabled { … }`. A timeout of all
  ///     of a section loses the pages that have come, so give it to the requests instead.
  ///   - decoder: Makes what decodes a page.
  ///   - requestTraits: What the request of each page is given as a pebble: a time limit, attempts,
  ///     whether to make it at all. By default a limit of ten seconds.
  public init(
    _ url: String, _ keyPath: JSONKeyPath = .root, _ model: Model.Type = Model.self,
    identifier: String? = nil, paging: SectionPaging = .none, headers: [String: String] = [:],
    _ traits: PebbleTrait..., decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() },
    requests requestTraits: @escaping @Sendable (SectionRequest) -> [PebbleTrait] = { _ in
      [.timeout(.seconds(10))]
    }
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

  /// Makes a section from a document that is there already.
  ///
  /// - Parameters:
  ///   - document: JSON.
  ///   - keyPath: Where in it the list of items stands.
  ///   - model: What an item is.
  ///   - identifier: What the section is called; not empty, and unique in its loader.
  ///   - traits: What the section is given as a pebble, such as `.enabled { … }`.
  ///   - decoder: Makes what decodes the document.
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
