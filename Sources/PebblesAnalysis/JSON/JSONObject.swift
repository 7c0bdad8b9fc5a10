import Pebbles

/// An object whose keys are all known.
package struct JSONObject {
  let value: JSONValue

  /// The value of a key; `nil` if it is not there.
  package subscript(key: StaticString) -> JSONValue? { value[key] }

  /// - Throws: ``JSONError`` if the key is not there.
  package func required(_ key: StaticString) throws(JSONError) -> JSONValue {
    guard let value = self[key] else {
      throw value.fault("the object that starts here has no \"\(key)\"")
    }
    return value
  }
}

extension JSONValue {
  /// An object with no other keys than these, at most 64, each once.
  ///
  /// - Throws: ``JSONError`` at the key that is unknown or there twice.
  package func object(_ keys: [StaticString]) throws(JSONError) -> JSONObject {
    guard kind == .object else { throw fault("there should be an object here") }
    var seen: UInt64 = 0
    var next = index + 1
    let end = document.nodes[index].end
    while next < end {
      guard let number = keys.firstIndex(where: { document.isKey(next, $0) }) else {
        let name = document.text(of: next).shortLiteral
        throw JSONValue(document: document, index: next)
          .fault("the key \(name) means nothing here")
      }
      guard seen & 1 << number == 0 else {
        throw JSONValue(document: document, index: next)
          .fault("the key \"\(keys[number])\" is here a second time")
      }
      seen |= 1 << number
      next = document.end(of: next + 1)
    }
    return JSONObject(value: self)
  }
}
