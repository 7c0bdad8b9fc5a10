/// Why a file could not be used, as a sentence that names the file and the place in it.
struct FeedError: Error, Equatable, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "cannot use \(printable(path)): \(problem)" }
}

extension FeedError {
  /// The root is what the document is called at the front of a coding path.
  init(path: String, root: String, decoding error: any Error) {
    self.path = path
    problem = (error as? DecodingError)?.sentence(root: root) ?? String(describing: error)
  }
}

extension DecodingError {
  /// What is wrong, after the place where it is wrong: `launches[3].name should be text, …`.
  fileprivate func sentence(root: String) -> String {
    switch self {
    case .typeMismatch(let type, let context):
      let found = context.debugDescription.wordsAfterFound ?? "something else"
      return "\(context.place(in: root)) should be \(words(for: type)), and is \(found)"
    case .valueNotFound(let type, let context):
      return "\(context.place(in: root)) should be \(words(for: type)), and is null"
    case .keyNotFound(let key, let context):
      return "\(context.place(in: root, then: key)) is missing"
    case .dataCorrupted(let context):
      return "\(context.place(in: root)) \(context.debugDescription)"
    @unknown default:
      return String(describing: self)
    }
  }
}

extension DecodingError.Context {
  /// The coding path as one writes it: `launches[3].cores[0].flight`.
  fileprivate func place(in root: String, then key: (any CodingKey)? = nil) -> String {
    (codingPath + (key.map { [$0] } ?? [])).reduce(into: root) { place, key in
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += "." + printable(key.stringValue)
      }
    }
  }
}

/// The decoder names what it found only in prose: "Expected to decode Int but found a string
/// instead." A wording it does not know costs a word in a message and nothing else.
extension String {
  fileprivate var wordsAfterFound: String? {
    guard let start = firstRange(of: "but found ")?.upperBound else { return nil }
    let found = String(self[start...]).replacing(" instead.", with: "")
    let words = [
      "a string": "text", "number": "a number", "bool": "true or false", "an array": "a list",
      "a dictionary": "an object",
    ]
    return words[found] ?? found
  }
}

private func words(for type: any Any.Type) -> String {
  if type == Int.self { return "a whole number" }
  if type == String.self { return "text" }
  if type == Bool.self { return "true or false" }
  let name = String(describing: type)
  if name.hasPrefix("Array") { return "a list" }
  if name.hasPrefix("Dictionary") { return "an object" }
  return name
}
