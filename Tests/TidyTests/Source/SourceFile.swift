/// A Swift file as the rules see it.
struct SourceFile {
  /// From the root of the repository, with slashes.
  let path: String
  /// As written, without line ends.
  let lines: [Substring]
  /// The code without strings and comments.
  let tokens: [Token]

  init(path: String, text: String) {
    self.path = path
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    if lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
    tokens = Token.tokens(of: SourceMask.masking(text))
  }

  func isInside(_ folder: String) -> Bool {
    path.hasPrefix(folder + "/")
  }

  /// The path's last component without its extension.
  var name: Substring {
    let file = path.split(separator: "/").last ?? ""
    return file.prefix { $0 != "." }
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
