import Pebbles

/// A type whose instances are written as one value of a JSON document.
package protocol JSONWritable {
  func write(to writer: inout JSONWriter)
}

extension JSONWritable {
  /// The value as a JSON document in UTF-8.
  var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The value as a document that can be read without parsing, for an encoder of another format.
  var jsonDocument: JSONDocument {
    var writer = JSONWriter(notesPlaces: true)
    write(to: &writer)
    return JSONDocument(writer, limits: .none)
  }
}

extension String: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Bool: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Int: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Duration: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.value(nanoseconds) }
}
