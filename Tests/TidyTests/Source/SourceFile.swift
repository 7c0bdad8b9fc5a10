/// A Swift file in the form that the rules check.
struct SourceFile {
  /// The path from the root of the repository, with slashes.
  let path: String
  /// The lines of the file, without line breaks.
  let lines: [Substring]
  /// The tokens of the code, without strings and comments.
  let tokens: [Token]
  /// The indices of the tokens, keyed by their text. Most rules search for only a few words among
  /// half a million tokens.
  private let places: [Substring: [Int]]

  init(path: String, text: String) {
    self.path = path
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    if lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
    tokens = Token.tokens(of: SourceMask.masking(text))
    places = Dictionary(grouping: tokens.indices) { [tokens] in tokens[$0].text }
  }

  /// Returns the indices of the tokens that are one of the given words, in order.
  func places(of words: Set<Substring>) -> [Int] {
    words.flatMap { places[$0] ?? [] }.sorted()
  }

  func contains(_ word: Substring) -> Bool {
    places[word] != nil
  }

  func isInside(_ folder: String) -> Bool {
    path.hasPrefix(folder + "/")
  }

  /// The last component of the path, up to its first dot.
  var name: Substring {
    let file = path.split(separator: "/").last ?? ""
    return file.prefix { $0 != "." }
  }

  /// The documentation comments. Each has the number and the text of its first line, and the number
  /// of its last line.
  var documentationComments: [(line: Int, text: Substring, end: Int)] {
    var comments: [(line: Int, text: Substring, end: Int)] = []
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0.isWhitespace }
      guard text.hasPrefix("///") else { continue }
      if comments.last?.end == index {
        comments[comments.count - 1].end = index + 1
      } else {
        let summary = text.dropFirst(3).drop { $0.isWhitespace }
        comments.append((index + 1, summary, index + 1))
      }
    }
    return comments
  }

  /// Returns the line above a declaration and its attributes, without indentation. The result is
  /// empty if there is no such line.
  func lineAbove(declarationAt line: Int) -> Substring {
    var index = line - 2
    while index >= 0, trimmedLine(index).hasPrefix("@") { index -= 1 }
    return index >= 0 ? trimmedLine(index) : ""
  }

  private func trimmedLine(_ index: Int) -> Substring {
    lines[index].drop { $0.isWhitespace }
  }
}
