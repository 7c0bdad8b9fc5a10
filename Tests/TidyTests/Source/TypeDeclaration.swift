/// A type that a file declares.
struct TypeDeclaration {
  let name: Substring
  let line: Int
  /// Whether the type is declared at the top level and is visible in other files.
  let isShared: Bool
}

extension SourceFile {
  private static let keywords: Set<Substring> = [
    "class", "struct", "enum", "actor", "protocol", "typealias",
  ]
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
  ]

  /// The types that the file declares, at any depth.
  var typeDeclarations: [TypeDeclaration] {
    var depth = 0
    return tokens.indices.dropLast().compactMap { index in
      switch tokens[index].text {
      case "{", "(": depth += 1
      case "}", ")": depth -= 1
      default: break
      }
      let name = tokens[index + 1]
      // Not `class func`, nor a variable named `actor`.
      guard Self.keywords.contains(tokens[index].text), name.text.first?.isUppercase == true else {
        return nil
      }
      let before = tokens[..<index].reversed()
      let modifiers = before.prefix { Self.modifiers.contains($0.text) }.map(\.text)
      let isOpen = !modifiers.contains("private") && !modifiers.contains("fileprivate")
      // `import struct Foundation.Date` declares nothing.
      guard before.first?.text != "import" else { return nil }
      return TypeDeclaration(name: name.text, line: name.line, isShared: depth == 0 && isOpen)
    }
  }
}
