import Foundation

/// An untrusted JSON file. Invalid content leads to an error with a readable message, never to a
/// crash.
struct JSONFile: Sendable {
  let path: String
  var isSnakeCase = false
  /// The maximum size of the file, in megabytes. The default is about forty times the size of the
  /// whole launch history.
  var megabytes = 16

  /// Returns the decoded content. Error messages refer to the document by `name`.
  func decode<Value: Decodable>(_ type: Value.Type, named name: String) throws(Problem) -> Value {
    let data = try contents()
    // The decoder would guess other encodings, and it crashes if a document ends directly after the
    // bracket that exceeds its nesting limit. So only UTF-8 is accepted, and one byte is appended.
    let isText = !data.contains(0) && String(validating: data, as: UTF8.self) != nil
    try check(isText, "it is not UTF-8 text")
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.keyDecodingStrategy = isSnakeCase ? .convertFromSnakeCase : .useDefaultKeys
    do {
      return try decoder.decode(type, from: data + Data("\n".utf8))
    } catch {
      throw Problem((error as? DecodingError).map { sentence($0, about: name) } ?? "\(error)")
    }
  }

  /// Returns a sentence that states where an error is, followed by the problem, such as
  /// `launches[3].date_utc: …`.
  private func sentence(_ error: DecodingError, about name: String) -> String {
    let (path, problem): ([any CodingKey], String) =
      switch error {
      case .keyNotFound(let key, let at): (at.codingPath + [key], "it is missing")
      case .dataCorrupted(let at) where at.codingPath.isEmpty:
        ([], "it is cut short, nested too deep, has a fraction for a whole number, or is not JSON")
      case .typeMismatch(_, let at), .valueNotFound(_, let at), .dataCorrupted(let at):
        (at.codingPath, at.debugDescription)
      @unknown default: ([], "\(error)")
      }
    let place = path.reduce(name) { place, key in
      let snake = key.stringValue.replacing(/[A-Z]/) { "_" + $0.output.lowercased() }
      let name = isSnakeCase ? snake : key.stringValue
      return place + (key.intValue.map { "[\($0)]" } ?? "." + name)
    }
    return "\(place): \(problem)"
  }

  private func contents() throws(Problem) -> Data {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { close(file) }
    var status = stat()
    try check(file >= 0 && fstat(file, &status) == 0, reason())
    let kinds = [S_IFREG: "a file", S_IFDIR: "a directory", S_IFIFO: "a pipe"]
    let kind = kinds[status.st_mode & S_IFMT] ?? "a device"
    try check(kind == "a file", "it is \(kind), not a file")
    let limit = megabytes * 1024 * 1024
    let data = (try? FileHandle(fileDescriptor: file).read(upToCount: limit + 1)) ?? Data()
    try check(data.count <= limit, "it is larger than the limit of \(megabytes) MB")
    return data
  }
}
