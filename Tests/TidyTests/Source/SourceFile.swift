/// A Swift file as the rules see it.
struct SourceFile {
  /// From the root of the repository, with slashes.
  let path: String
  /// As written, without line ends.
  let lines: [Substring]
  /// The code without strings and comments.
  let tokens: [Token]
  /// The indices of each word's tokens. Most rules ask for a few words in half a million.
  private let places: [Substring: [Int]]

  init(path: String, text: String) {
    self.path = path
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    if lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
    tokens = Token.tokens(of: SourceMask.masking(text))
    places = Dictionary(grouping: tokens.indices) { [tokens] in tokens[$0].text }
  }

  /// The indices of the tokens that are one of some words, in order.
  func places(of words: Set<Substring>) -> [Int] {
    words.flatMap { places[$0] ?? [] }.sorted()
  }

  func contains(_ word: Substring) -> Bool {
    places[word] != nil
  }

  func isInside(_ folder: String) -> Bool {
    path.hasPrefix(folder + "/")
  }

  /// The path's last component without its extension.
  var name: Substring {
    let file = path.split(separator: "/").last ?? ""
    return file.prefix { $0 != "." }
  }

  /// The documentation comments: the number and the text of their first lines, and the number of
  /// their last ones.
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

  /// The line above a declaration and its attributes, without indentation; empty at the top.
  func lineAbove(declarationAt line: Int) -> Substring {
    var index = line - 2
    while index >= 0, trimmedLine(index).hasPrefix("@") { index -= 1 }
    return index >= 0 ? trimmedLine(index) : ""
  }

  private func trimmedLine(_ index: Int) -> Substring {
    lines[index].drop { $0.isWhitespace }
  }
}
