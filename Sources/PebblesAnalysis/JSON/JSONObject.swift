import Pebbles

/// A JSON object that has been checked to have only known keys.
package struct JSONObject {
  let value: JSONValue

  /// Accesses the value of a key; `nil` if the key is missing.
  package subscript(key: StaticString) -> JSONValue? { value[key] }

  /// Returns the value of a key.
  ///
  /// - Throws: ``JSONError`` if the key is missing.
  package func required(_ key: StaticString) throws(JSONError) -> JSONValue {
    guard let value = self[key] else {
      throw value.fault("the object that starts here has no \"\(key)\"")
    }
    return value
  }
}

extension JSONValue {
  /// Returns this value as an object after checking that it has only the given keys, each at most
  /// once. At most 64 keys can be given.
  ///
  /// - Throws: ``JSONError`` if this value is not an object, or has an unknown or repeated key.
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
          .fault("the key \"\(keys[number])\" is here twice")
      }
      seen |= 1 << number
      next = document.end(of: next + 1)
    }
    return JSONObject(value: self)
  }
}
