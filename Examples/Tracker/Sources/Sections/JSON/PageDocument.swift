import Foundation

/// The content of a section's page: its items, and the token for the next page.
struct PageDocument<Model: Decodable & Sendable>: Sendable {
  let items: [Model]
  let token: String?

  /// Decodes a page.
  ///
  /// - Throws: ``PageProblem`` if the page is invalid.
  init(_ data: Data, _ layout: PageLayout, _ decoder: JSONDecoder) throws(PageProblem) {
    do {
      decoder.userInfo[PageLayout.key] = try layout.converted(by: decoder)
      self = try decoder.decode(Self.self, from: data)
    } catch let problem as PageProblem {
      throw problem
    } catch let error as DecodingError {
      throw .noJSON(error.sentence)
    } catch {
      throw .noJSON("\(error)")
    }
  }
}

/// The locations of the items and the token in a page, and the maximum number of items.
struct PageLayout: Sendable {
  let items: JSONKeyPath
  let token: TokenFinder?
  let mostItems: Int

  static let key = CodingUserInfoKey(rawValue: "PageLayout").unsafelyUnwrapped

  /// Returns the layout, with its keys converted as the decoder converts keys.
  fileprivate func converted(by decoder: JSONDecoder) throws -> PageLayout {
    if case .useDefaultKeys = decoder.keyDecodingStrategy { return self }
    var token = token
    if case .path(let path)? = token { token = .path(try path.converted(by: decoder)) }
    return PageLayout(items: try items.converted(by: decoder), token: token, mostItems: mostItems)
  }
}

extension JSONKeyPath {
  /// Returns the path, with its keys converted by the decoder. To convert the keys, the decoder
  /// decodes a document that contains only this path.
  fileprivate func converted(by decoder: JSONDecoder) throws -> JSONKeyPath {
    let document = keys.reversed().reduce([:] as [String: Any]) { [$1: $0] }
    let data = try JSONSerialization.data(withJSONObject: document)
    return JSONKeyPath(keys: try decoder.decode(ConvertedKeys.self, from: data).keys)
  }
}

/// The keys of nested single-member objects, outermost first.
private struct ConvertedKeys: Decodable {
  var keys: [String] = []

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: JSONKey.self)
    guard let key = members.allKeys.first else { return }
    let inner = try members.decode(ConvertedKeys.self, forKey: key)
    keys = [key.stringValue] + inner.keys
  }
}

/// A way to find the token for the next page in the content of a page.
enum TokenFinder: Sendable {
  case path(JSONKeyPath)
  case custom(@Sendable (JSONValue) -> String?)
}

extension PageDocument: Decodable {
  init(from decoder: any Decoder) throws {
    guard let layout = decoder.userInfo[PageLayout.key] as? PageLayout else {
      preconditionFailure("a page is decoded without saying where its items are")
    }
    var list = try Self.list(at: layout.items, decoder)
    var items: [Model] = []
    while !list.isAtEnd {
      guard items.count < layout.mostItems else { throw PageProblem.tooManyItems(layout.mostItems) }
      do {
        items.append(try list.decode(Model.self))
      } catch let error as DecodingError {
        throw PageProblem.wrongItem(index: items.count, error.sentence)
      }
    }
    self.items = items
    token = try layout.token.flatMap { try Self.token($0, decoder) }
  }

  private static func list(
    at path: JSONKeyPath, _ decoder: any Decoder
  ) throws -> any UnkeyedDecodingContainer {
    guard let last = path.keys.last else {
      do {
        return try decoder.unkeyedContainer()
      } catch is DecodingError {
        throw PageProblem.noList(at: path)
      }
    }
    let members = try container(around: path, decoder)
    guard members.contains(JSONKey(last)) else {
      throw PageProblem.nothing(at: path, instead: members.allKeys.map(\.stringValue))
    }
    do {
      return try members.nestedUnkeyedContainer(forKey: JSONKey(last))
    } catch is DecodingError {
      throw PageProblem.noList(at: path)
    }
  }

  /// Returns the object that contains the last key of a path.
  private static func container(
    around path: JSONKeyPath, _ decoder: any Decoder
  ) throws -> KeyedDecodingContainer<JSONKey> {
    var walked: [String] = []
    do {
      var members = try decoder.container(keyedBy: JSONKey.self)
      for key in path.keys.dropLast() {
        walked.append(key)
        guard members.contains(JSONKey(key)) else {
          let found = members.allKeys.map(\.stringValue)
          throw PageProblem.nothing(at: JSONKeyPath(keys: walked), instead: found)
        }
        members = try members.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(key))
      }
      return members
    } catch is DecodingError {
      throw PageProblem.noObject(at: JSONKeyPath(keys: walked))
    }
  }

  private static func token(_ finder: TokenFinder, _ decoder: any Decoder) throws -> String? {
    switch finder {
    case .custom(let find):
      return find(try JSONValue(from: decoder))
    case .path(let path):
      guard let last = path.keys.last,
        // The last page may leave out the objects around the token.
        let members = try? container(around: path, decoder), members.contains(JSONKey(last)),
        try !members.decodeNil(forKey: JSONKey(last))
      else { return nil }
      if let text = try? members.decode(String.self, forKey: JSONKey(last)) { return text }
      if let number = try? members.decode(Int.self, forKey: JSONKey(last)) { return "\(number)" }
      throw PageProblem.noToken(at: path)
    }
  }
}

private struct JSONKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ text: String) {
    stringValue = text
  }

  init?(stringValue: String) {
    self.init(stringValue)
  }

  init?(intValue: Int) {
    self.init("\(intValue)")
  }
}

extension DecodingError {
  /// The problem and its location, as a sentence.
  fileprivate var sentence: String {
    switch self {
    case .keyNotFound(let key, let context):
      return "\(Self.place(context.codingPath)) has no \(key.stringValue)"
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      let reason = context.underlyingError.map { " (\($0))" } ?? ""
      return "\(Self.place(context.codingPath)): \(context.debugDescription)\(reason)"
    @unknown default:
      return "\(self)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the document" }
    return path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
