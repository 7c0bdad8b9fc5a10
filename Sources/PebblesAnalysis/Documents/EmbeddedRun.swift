/// A search for the first run in an HTML page. A run is the entire content of a
/// `<script type="application/json">` element. Elements that contain other JSON are ignored.
///
/// The search does not parse HTML. It only looks for script tags, because they delimit a script
/// regardless of the surrounding text.
struct EmbeddedRun {
  private let bytes: [UInt8]
  private let limits: JSONLimits

  static func find(in bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> RecordedRun {
    guard bytes.count <= limits.bytes else {
      throw JSONError(limits.problemWithBytes, at: limits.bytes, in: bytes)
    }
    return try EmbeddedRun(bytes: bytes, limits: limits).run()
  }

  private func run() throws(JSONError) -> RecordedRun {
    var position = 0
    while let start = place(of: "<script", from: position) {
      let tagEnd = bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
      let end = place(of: "</script", from: tagEnd) ?? bytes.count
      position = end
      guard Self.holdsJSON(bytes[start..<tagEnd]), tagEnd < end else { continue }
      if let run = try run(in: tagEnd + 1..<end) { return run }
    }
    throw JSONError(
      "this page holds no run: there should be an element <script type=\"application/json\"> with "
        + "one", at: 0, in: bytes)
  }

  /// Returns the run in a range of the page; `nil` if the range contains other JSON.
  ///
  /// - Throws: ``JSONError`` if the range does not contain JSON, or if the run is invalid.
  private func run(in range: Range<Int>) throws(JSONError) -> RecordedRun? {
    do throws(JSONError) {
      let root = try JSONDocument(bytes[range], limits: limits).root
      guard root["format"]?.isString(RecordedRunReader.format) == true else { return nil }
      return try RecordedRunReader.run(root)
    } catch {
      throw JSONError(error.problem, at: range.lowerBound + error.offset, in: bytes)
    }
  }

  private static func holdsJSON(_ tag: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: tag, as: UTF8.self).lowercased()
    return text.contains("type=\"application/json\"") || text.contains("type='application/json'")
      || text.contains("type=application/json")
  }

  /// Returns the offset of the first occurrence of a word at or after `start`, ignoring case; `nil`
  /// if there is none. The word must be given in lowercase.
  private func place(of word: StaticString, from start: Int) -> Int? {
    let letters = Array("\(word)".utf8)
    var position = start
    while let next = bytes[position...].firstIndex(of: letters[0]) {
      let found = bytes[next...].prefix(letters.count)
      if found.elementsEqual(letters, by: { $0 == $1 || $0 | 0x20 == $1 }) { return next }
      position = next + 1
    }
    return nil
  }
}

extension JSONValue {
  fileprivate func isString(_ text: String) -> Bool { (try? string()) == text }
}
