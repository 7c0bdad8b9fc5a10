/// A JSON value on its way from a decoder of any format to the reader of documents.
///
/// So there is one schema, with one set of checks, whatever a model or a run was kept in.
indirect enum JSONTree: Decodable {
  case object([(key: String, value: JSONTree)])
  case list([JSONTree])
  case string(String)
  case integer(Int64)
  case unsigned(UInt64)
  case bool(Bool)

  /// How deep a value may be: decoders recurse, and so does this.
  private static let deepest = 128

  init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.deepest else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "values stand more than \(Self.deepest) deep in each other"))
    }
    if let value = Self.single(decoder) {
      self = value
    } else if let container = try? decoder.container(keyedBy: JSONKey.self) {
      // In an order of their own, so that of two mistakes always the same one is told.
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      self = .object(
        try keys.map { ($0.stringValue, try container.decode(JSONTree.self, forKey: $0)) })
    } else {
      var container = try decoder.unkeyedContainer()
      var elements: [JSONTree] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONTree.self)) }
      self = .list(elements)
    }
  }

  private static func single(_ decoder: any Decoder) -> JSONTree? {
    guard let container = try? decoder.singleValueContainer() else { return nil }
    if let number = try? container.decode(Int64.self) { return .integer(number) }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    return (try? container.decode(UInt64.self)).map(JSONTree.unsigned)
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .object(let members):
      writer.beginObject()
      for (key, value) in members {
        writer.key(key)
        value.write(to: &writer)
      }
      writer.end()
    case .list(let elements):
      writer.beginList()
      for element in elements { element.write(to: &writer) }
      writer.end()
    case .string(let text): writer.value(text)
    case .integer(let number): writer.value(number)
    case .unsigned(let number): writer.value(number)
    case .bool(let value): writer.value(value)
    }
  }

  /// What `read` makes of the value as a document.
  ///
  /// - Throws: `DecodingError`, with the path to the value that is wrong.
  static func document<Result>(
    from decoder: any Decoder, _ read: (JSONValue) throws(JSONError) -> Result
  ) throws -> Result {
    let tree = try JSONTree(from: decoder)
    var writer = JSONWriter()
    tree.write(to: &writer)
    func corrupted(_ error: JSONError, _ path: [any CodingKey]) -> DecodingError {
      .dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath + path, debugDescription: error.problem,
          underlyingError: error))
    }
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(writer.bytes, limits: JSONLimits())
    } catch {
      throw corrupted(error, [])
    }
    do throws(JSONError) {
      return try read(document.root)
    } catch {
      throw corrupted(error, document.path(to: error.offset))
    }
  }
}

/// Any key, or a place in a list.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}

extension JSONValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch kind {
    case .object:
      var container = encoder.container(keyedBy: JSONKey.self)
      for (key, value) in members {
        try container.encode(value, forKey: JSONKey(stringValue: key))
      }
    case .array:
      var container = encoder.unkeyedContainer()
      for element in try elements() { try container.encode(element) }
    case .number:
      var container = encoder.singleValueContainer()
      if let number = try? integer(Int64.self, in: .min ... .max) {
        try container.encode(number)
      } else {
        try container.encode(integer(UInt64.self, in: .min ... .max))
      }
    case .true, .false:
      var container = encoder.singleValueContainer()
      try container.encode(bool())
    case .string, .key:
      var container = encoder.singleValueContainer()
      try container.encode(string())
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

extension JSONDocument {
  /// The keys and list places that lead to the innermost value at a byte.
  ///
  /// - Complexity: O(values).
  func path(to offset: Int) -> [JSONKey] {
    var path: [JSONKey] = []
    var node = 0
    while nodes[node].kind == .object || nodes[node].kind == .array {
      let isObject = nodes[node].kind == .object
      var step: (key: JSONKey, node: Int)?
      var next = node + 1
      var position = 0
      while next < nodes[node].end, nodes[next].start <= offset {
        let value = isObject ? next + 1 : next
        let key = isObject ? JSONKey(stringValue: text(of: next)) : JSONKey(intValue: position)
        step = (key, value)
        next = end(of: value)
        position += 1
      }
      guard let step else { break }
      path.append(step.key)
      node = step.node
    }
    return path
  }
}
