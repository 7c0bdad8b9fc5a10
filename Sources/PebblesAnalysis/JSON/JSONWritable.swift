import Pebbles

/// A type whose instances can be written as a JSON value.
package protocol JSONWritable {
  func write(to writer: inout JSONWriter)
}

extension JSONWritable {
  /// The value as a JSON document in UTF-8.
  package var jsonBytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The value as a document that can be read without parsing, used to encode the value in other
  /// formats.
  var jsonDocument: JSONDocument {
    var writer = JSONWriter(notesPlaces: true)
    write(to: &writer)
    return JSONDocument(writer, limits: .none)
  }

  /// The value as JSON that can safely be printed to a terminal or a log. Invisible characters, and
  /// characters that would affect the surrounding text, are escaped. The sequence `##[` is also
  /// escaped, because a GitHub workflow command can begin with it.
  package var visibleJSON: String {
    let json = String(decoding: jsonBytes, as: UTF8.self)
    // The writer has already escaped the control characters below 0x20 in all strings.
    guard json.utf8.contains(where: { $0 >= 0x7F || $0 == UInt8(ascii: "#") }) else { return json }
    var visible = ""
    for scalar in json.unicodeScalars {
      if scalar.value >= 0x7F, scalar.isInvisible {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          visible += "\\u\(String(0x10000 + UInt32(unit), radix: 16).dropFirst())"
        }
      } else if scalar == "[", visible.utf8.suffix(2).elementsEqual("##".utf8) {
        visible += #"\u005b"#
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
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
