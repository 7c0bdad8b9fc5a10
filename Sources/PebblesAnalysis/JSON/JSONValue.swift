import Pebbles

/// A value in a JSON document, with functions that read it and check its type.
package struct JSONValue {
  let document: JSONDocument
  let index: Int

  var kind: JSONDocument.Kind { document.nodes[index].kind }
  var limits: JSONLimits { document.limits }

  package func fault(_ problem: String) -> JSONError {
    JSONError(problem, at: document.nodes[index].start, in: document.bytes)
  }

  package func string() throws(JSONError) -> String {
    guard kind == .string else { throw fault("there should be a string here") }
    return document.text(of: index)
  }

  package func bool() throws(JSONError) -> Bool {
    switch kind {
    case .true: return true
    case .false: return false
    case .object, .array, .key, .string, .number, .null:
      throw fault("there should be true or false here")
    }
  }

  /// Returns this value as a whole number in a range. The number must be written without a decimal
  /// point or an exponent.
  package func integer<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self, in range: ClosedRange<Number>
  ) throws(JSONError) -> Number {
    guard kind == .number else { throw fault("there should be a number here") }
    let node = document.nodes[index]
    let text = String(decoding: document.bytes[node.start..<node.end], as: UTF8.self)
    guard text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") }) else {
      throw fault("there should be a whole number here, without a point or an exponent")
    }
    guard let number = Number(text), range.contains(number) else {
      throw fault("this number should be from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns this value as a zero-based position in a list of `count` elements. Error messages use
  /// `what` as the noun for an element of the list.
  func position(in count: Int, _ what: String) throws(JSONError) -> Int {
    let position = try integer(Int.self, in: 0...Int.max)
    guard position < count else {
      throw fault("there is no \(what) at position \(position); there are \(count), from 0 on")
    }
    return position
  }

  package func duration() throws(JSONError) -> Duration {
    try integer(UInt64.self, in: 0 ... .max).asNanoseconds
  }

  /// Returns the elements of a list.
  package func elements() throws(JSONError) -> JSONElements {
    guard kind == .array else { throw fault("there should be a list here") }
    return JSONElements(
      document: document, index: index + 1, end: document.nodes[index].end)
  }

  /// Accesses the value of a key; `nil` if this value is not an object or has no such key. All
  /// other keys are ignored.
  package subscript(key: StaticString) -> JSONValue? {
    guard kind == .object else { return nil }
    var next = index + 1
    while next < document.nodes[index].end {
      if document.isKey(next, key) { return JSONValue(document: document, index: next + 1) }
      next = document.end(of: next + 1)
    }
    return nil
  }

  /// Returns the value of a key; `nil` if this value is not an object or has no such key. All other
  /// keys are ignored.
  ///
  /// - Throws: ``JSONError`` if the key is repeated.
  func only(_ key: StaticString) throws(JSONError) -> JSONValue? {
    guard let first = self[key] else { return nil }
    var next = document.end(of: first.index)
    while next < document.nodes[index].end {
      if document.isKey(next, key) {
        throw JSONValue(document: document, index: next)
          .fault("the key \"\(key)\" is here twice")
      }
      next = document.end(of: next + 1)
    }
    return first
  }

  /// The keys and values of an object; empty for other values.
  var members: [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    var next = index + 1
    while kind == .object, next < document.nodes[index].end {
      let value = JSONValue(document: document, index: next + 1)
      members.append((document.text(of: next), value))
      next = document.end(of: next + 1)
    }
    return members
  }
}

/// A sequence of the values in a list.
package struct JSONElements: Sequence, IteratorProtocol {
  let document: JSONDocument
  private var index: Int
  private let end: Int

  /// Creates a sequence of the values in a document from node `index` up to, but not including,
  /// node `end`.
  init(document: JSONDocument, index: Int, end: Int) {
    self.document = document
    self.index = index
    self.end = end
  }

  package mutating func next() -> JSONValue? {
    guard index < end else { return nil }
    let value = JSONValue(document: document, index: index)
    index = document.end(of: index)
    return value
  }
}
