import Foundation

/// The places in a script of the page at which a mutant can be made.
///
/// The search supports just enough of the language to distinguish code from strings, templates,
/// comments and regular expressions. It finds only binary operators with spaces around them, which
/// is how the scripts are formatted.
struct ScriptSites {
  private(set) var sites: [Site] = []
  private let source: String
  private let bytes: [UInt8]

  /// The flags that say for each byte whether it is part of the code.
  private let isCode: [Bool]
  private var functions: [(name: String, start: Int)] = []

  private static let operators: [(String, MutantKind, [String])] = [
    ("===", .operator, ["!=="]), ("!==", .operator, ["==="]), ("&&", .operator, ["||"]),
    ("||", .operator, ["&&"]), ("+", .operator, ["-"]), ("-", .operator, ["+"]),
    ("+=", .operator, ["-="]), ("-=", .operator, ["+="]), ("<", .boundary, ["<="]),
    ("<=", .boundary, ["<"]), (">", .boundary, [">="]), (">=", .boundary, [">"]),
    ("??", .optional, ["&&"]), ("*", .operator, ["+"]),
  ]

  init(_ source: String) {
    self.source = source
    bytes = Array(source.utf8)
    isCode = ScriptMask(bytes).isCode
    findFunctions()
    for (sign, kind, others) in Self.operators {
      find(#"(?<= )\#(NSRegularExpression.escapedPattern(for: sign))(?= )"#) { _ in
        others.map { (kind, $0) }
      }
    }
    find(#"(?<![\w.$])\d+(?![\w.])"#) { [(.constant, "\((Int($0) ?? 0) + 1)")] }
    find(#"(?<![\w.$])(true|false)(?!\w)"#) { [(.constant, $0 == "true" ? "false" : "true")] }
    find(#"!(?=[A-Za-z(])"#) { _ in [(.operator, "")] }
    find(#"(?<=\) )(break|continue|return);"#) { _ in [(.propagation, ";")] }
    find(#"(?<=\n)( *)[A-Za-z_][\w.\[\]]*\([^\n]*\);(?=\n)"#, isLine: true) { line in
      line.contains("return ") || line.contains("if (") ? [] : [(.call, ";")]
    }
    find(#"(?<=\n)( *)[A-Za-z_][\w.\[\]]* [-+|&]?= [^\n]*;(?=\n)"#, isLine: true) { _ in
      [(.transition, ";")]
    }
    findConditions()
  }

  private mutating func findFunctions() {
    let pattern =
      #"(?m)^(?:(?:function|class) +(\w+)|  (?:static )?(?:get )?\*?(\w+)\([^\n]*\) \{)"#
    let text = source as NSString
    for match in matches(pattern) {
      let group = match.range(at: 1).location == NSNotFound ? 2 : 1
      let start = source.utf8Offset(of: match.range.location)
      functions.append((text.substring(with: match.range(at: group)), start))
    }
  }

  private func matches(_ pattern: String) -> [NSTextCheckingResult] {
    // The patterns are literals of this file.
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
    return expression.matches(
      in: source, range: NSRange(location: 0, length: (source as NSString).length))
  }

  private mutating func find(
    _ pattern: String, isLine: Bool = false, _ others: (String) -> [(MutantKind, String)]
  ) {
    for match in matches(pattern) {
      let text = (source as NSString).substring(with: match.range)
      let start = source.utf8Offset(of: match.range.location)
      let range = start..<start + text.utf8.count
      guard isCode[range.lowerBound], isCode[range.upperBound - 1] else { continue }
      for (kind, other) in others(text) { add(kind, range, [Site.Edit(range: range, text: other)]) }
    }
  }

  private mutating func findConditions() {
    for match in matches(#"(?<!\w)if \("#) {
      let open = source.utf8Offset(of: match.range.location) + 3
      guard isCode[open], let end = closing(open) else { continue }
      add(
        .branch, open..<end + 1,
        [
          Site.Edit(range: open..<open, text: "(!"), Site.Edit(range: end + 1..<end + 1, text: ")"),
        ])
    }
  }

  private func closing(_ open: Int) -> Int? {
    var depth = 0
    for place in open..<bytes.count where isCode[place] {
      if bytes[place] == UInt8(ascii: "(") { depth += 1 }
      if bytes[place] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// Adds a site. The line around the site is its text before the change.
  private mutating func add(_ kind: MutantKind, _ range: Range<Int>, _ edits: [Site.Edit]) {
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[range.upperBound...].firstIndex(of: newline) ?? bytes.count
    let before = String(decoding: bytes[start..<end], as: UTF8.self)
    var after: [UInt8] = []
    var place = start
    for edit in edits {
      after += bytes[place..<edit.range.lowerBound] + Array(edit.text.utf8)
      place = edit.range.upperBound
    }
    after += bytes[place..<max(place, end)]
    let function = functions.last { $0.start <= range.lowerBound }
    sites.append(
      Site(
        kind: kind, function: function?.name ?? "script",
        functionRange: (function?.start ?? 0)..<bytes.count, range: range, before: before,
        after: String(decoding: after, as: UTF8.self), edits: edits))
  }
}

/// A scanner that distinguishes the code of a script from its strings, templates, comments and
/// regular expressions.
struct ScriptMask {
  private(set) var isCode: [Bool]
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isCode = Array(repeating: true, count: bytes.count)
    while place < bytes.count { skipOne() }
  }

  private mutating func skipOne() {
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    switch bytes[place] {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      skip(to: bytes[place])
    case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
      while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { hide() }
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      hide()
      hide()
      while place + 1 < bytes.count, bytes[place...(place + 1)] != [0x2a, 0x2f] { hide() }
      hide()
      hide()
    case UInt8(ascii: "/") where beginsExpression:
      skip(to: UInt8(ascii: "/"))
    default:
      place += 1
    }
  }

  /// Whether the code before the current position must be followed by a value.
  private var beginsExpression: Bool {
    let before = bytes[..<place].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
    return before.map { Array("(,=:[!&|?{};+".utf8).contains($0) } ?? true
  }

  private mutating func hide() {
    guard place < bytes.count else { return }
    isCode[place] = false
    place += 1
  }

  private mutating func skip(to end: UInt8) {
    hide()
    while place < bytes.count, bytes[place] != end {
      if bytes[place] == UInt8(ascii: "\\") { hide() }
      hide()
    }
    hide()
  }
}

extension String {
  /// Returns the number of bytes before a position that is given in UTF-16 code units.
  fileprivate func utf8Offset(of place: Int) -> Int {
    let index = String.Index(utf16Offset: place, in: self)
    return utf8.distance(from: startIndex, to: index)
  }
}
