extension JSONDocument {
  /// Converts a decoder's value to JSON, and returns the result of passing the JSON to `read`.
  /// Models and runs therefore need only one schema and one set of checks for all formats.
  ///
  /// - Throws: `DecodingError`, with the path to the invalid value.
  static func decoded<Result>(
    from decoder: any Decoder, within limits: JSONLimits = JSONLimits(),
    _ read: (JSONValue) throws(JSONError) -> Result
  ) throws -> Result {
    var writer = JSONWriter(notesPlaces: true)
    try writer.write(decoder, within: limits)
    let document = JSONDocument(writer, limits: limits)
    do throws(JSONError) {
      return try read(document.root)
    } catch {
      throw DecodingError.dataCorrupted(
        error, at: decoder.codingPath + document.path(to: error.offset))
    }
  }

  /// Returns the keys and list positions that lead to the innermost value at a byte offset.
  ///
  /// - Complexity: O(values).
  private func path(to offset: Int) -> [JSONKey] {
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

/// The conversion of a decoder's values to JSON.
extension JSONWriter {
  /// The maximum depth of a value. The depth is limited because the conversion is recursive.
  private static let deepest = 128

  fileprivate mutating func write(_ decoder: any Decoder, within limits: JSONLimits) throws {
    guard decoder.codingPath.count <= Self.deepest else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "values are nested more than \(Self.deepest) deep"))
    }
    if writeScalar(decoder) {
    } else if let container = try? decoder.container(keyedBy: JSONKey.self) {
      // The keys are sorted, so that the same mistake is reported each time if there are several.
      let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      try object { writer throws in
        try writer.check(limits, decoder)
        for key in keys {
          writer.key(key.stringValue)
          try writer.check(limits, decoder)
          try writer.write(container.superDecoder(forKey: key), within: limits)
        }
      }
    } else {
      var container = try decoder.unkeyedContainer()
      try list { writer throws in
        try writer.check(limits, decoder)
        while !container.isAtEnd { try writer.write(container.superDecoder(), within: limits) }
      }
    }
    try check(limits, decoder)
  }

  private mutating func writeScalar(_ decoder: any Decoder) -> Bool {
    guard let container = try? decoder.singleValueContainer() else { return false }
    if let number = try? container.decode(Int64.self) {
      value(number)
    } else if let text = try? container.decode(String.self) {
      value(text)
    } else if let truth = try? container.decode(Bool.self) {
      value(truth)
    } else if let number = try? container.decode(UInt64.self) {
      value(number)
    } else {
      return false
    }
    return true
  }

  /// Throws an error if the document written so far exceeds a limit. The message is the same as the
  /// parser's.
  private func check(_ limits: JSONLimits, _ decoder: any Decoder) throws {
    guard let nodes, let last = nodes.last else { return }
    let problem: String? =
      if bytes.count > limits.bytes {
        limits.problemWithBytes
      } else if depth > limits.depth {
        limits.problemWithDepth
      } else if nodes.count > limits.values {
        limits.problemWithValues
      } else if last.isText, last.end - last.start - 2 > limits.stringBytes {
        limits.problemWithString
      } else {
        nil
      }
    guard let problem else { return }
    throw DecodingError.dataCorrupted(
      JSONError(problem, at: last.start, in: bytes), at: decoder.codingPath)
  }
}

extension DecodingError {
  fileprivate static func dataCorrupted(
    _ error: JSONError, at path: [any CodingKey]
  ) -> DecodingError {
    .dataCorrupted(
      Context(codingPath: path, debugDescription: error.problem, underlyingError: error))
  }
}

extension JSONValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
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

/// A coding key that is an arbitrary name or a position in a list.
private struct JSONKey: CodingKey {
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
