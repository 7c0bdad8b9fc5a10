import Foundation

/// A JSON file that is not trusted: limited in size and in depth, checked before it is decoded.
struct JSONFile: Sendable {
  /// About forty times the whole launch history, and little enough to read in one go.
  static let feedLimit = 16 * 1024 * 1024

  /// The documents read here are five levels deep. A decoder recurses, and its stack is finite.
  static let depthLimit = 64

  let path: String
  var byteLimit = feedLimit

  /// The root is what the document is called at the front of a coding path.
  func decode<Value: Decodable>(_ type: Value.Type, root: String) throws(FeedError) -> Value {
    let bytes = try contents()
    do throws(JSONSyntax.Fault) {
      try JSONSyntax.check(bytes, depthLimit: JSONFile.depthLimit)
    } catch {
      throw FeedError(path: path, problem: String(describing: error))
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do {
      return try decoder.decode(type, from: Data(bytes))
    } catch {
      throw FeedError(path: path, root: root, decoding: error)
    }
  }

  private func contents() throws(FeedError) -> [UInt8] {
    do throws(FileError) {
      return try File(path: path).read(atMost: byteLimit)
    } catch {
      throw FeedError(path: path, problem: error.reason)
    }
  }
}
