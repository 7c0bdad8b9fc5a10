import Fuzzing
import Pebbles
import PebblesAnalysis
import PebblesDurable
import PebblesPictures

@testable import PondCommands

extension FuzzTarget {
  /// The target for command lines of `pond`. Each line of the input is a word, up to an empty line.
  /// The rest of the input is the contents of the file `x`.
  static let commands = FuzzTarget("commands") { bytes in
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 12, omittingEmptySubsequences: false)
    let words = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    let rest = lines.dropFirst(words.count + 1)
    // Of all endings of a large pond some questions take long, and say so.
    let isOfEndings = ["laws", "endings", "lint"].contains(words.first)
    if isOfEndings, bytes.count > 10_000 { return }
    var files = files
    files["x"] = Array(rest.joined(separator: [UInt8(ascii: "\n")]))
    let session = Session(
      environment: Environment { [files] path, most throws(Problem) in
        guard let bytes = files[path] else { throw Problem("cannot read \(Arguments.shown(path))") }
        return Array(bytes.prefix(most(bytes) + 1))
      })
    expectDocumented(session.run(words), words)
  }

  /// Expects the result of a command line to be as the documentation of `pond` promises.
  private static func expectDocumented(_ result: Session.Result, _ words: [String]) {
    expect((0...2).contains(result.status), "the status \(result.status) is not documented")
    guard result.status == 2 else {
      expect(result.error.isEmpty, "an answer with an error: \(result.error)")
      expect(!result.output.isEmpty || !result.files.isEmpty, "no answer")
      return expectReadable(result.output, words)
    }
    expect(result.output.isEmpty && result.files.isEmpty, "an error with an answer")
    expectReadable(result.error, words)
    guard !words.isEmpty else { return }
    expect(result.error.hasPrefix("pond: "), "an error of somebody else: \(result.error)")
    let isNamed = words.contains { word in parts(of: word).contains { result.error.names($0) } }
    expect(isNamed, "an error that names no word: \(result.error)")
  }

  /// Returns a word of a command line and its parts. Options end at the first `=`, and names of
  /// pebbles at the last. The word is split between scalars, because a combining mark after the `=`
  /// would be part of the same character.
  private static func parts(of word: String) -> [String] {
    let scalars = word.unicodeScalars
    guard let first = scalars.firstIndex(of: "="), let last = scalars.lastIndex(of: "=") else {
      return [word]
    }
    let value = scalars[first...].dropFirst()
    return [
      scalars[...], scalars[..<first], scalars[..<last], value, scalars[last...].dropFirst(),
      value.prefix(upTo: max(last, value.startIndex)),
    ].map { String($0) }
  }

  /// Expects that a text contains no control characters other than those for requested colors, and
  /// that JSON is valid. Drawings are not checked.
  private static func expectReadable(_ text: String, _ words: [String]) {
    if words.first == "draw" { return }
    let isColored = words.contains { $0.hasSuffix("always") }
    let hidden = text.unicodeScalars.first {
      ($0.value < 0x20 && $0 != "\n" || 0x7F..<0xA0 ~= $0.value) && !(isColored && $0 == "\u{1B}")
    }
    expect(hidden == nil, "a control character in an answer: \(text.debugDescription)")
    guard text.first == "{", words.contains("--json") else { return }
    do throws(JSONError) {
      _ = try JSONDocument(text.utf8, limits: JSONLimits())
    } catch {
      fail("an answer in JSON that is none: \(error)")
    }
  }

  /// The contents of the files that commands can read: a run, a slower run, a sketch of a pond, a
  /// pond and a page.
  private static let files: [String: [UInt8]] = {
    let sketch = """
      {"name": "boot", "laws": ["exactly one of show.completed, offline.completed"],
      "pebbles": [
        {"name": "ping", "when": "always"}, {"name": "load cores", "when": "always"},
        {"name": "show", "when": "\\"load cores\\".succeeded"},
        {"name": "offline", "when": "ping.failed"},
        {"name": "login", "when": "ping.succeeded && ping.is(\\"fast\\")"},
        {"name": "store", "when": "login.succeeded || show.skipped"}]}
      """
    do {
      let model = try PondDocument(sketch.utf8).model
      let ends = ["ping": RecordedOutcome.failed("no\u{1B} route")]
      let run = { (milliseconds: Int) in
        try RecordedRun(
          model: model,
          pebbles: model.names.map { name in
            let time = Duration.milliseconds(milliseconds)
            if ["login", "store"].contains(name) {
              return RecordedPebble(
                name: name,
                outcome: .skipped(.conditionFalse(decidedBy: name == "login" ? "ping" : "show")),
                finished: time, decidedBy: name == "login" ? 0 : 2)
            }
            return RecordedPebble(
              name: name, outcome: ends[name] ?? .succeeded, ready: .zero, started: .zero,
              finished: time, decidedBy: ["show": 1, "offline": 0][name])
          }, makespan: .milliseconds(2 * milliseconds))
      }
      return [
        "run": try run(20).jsonBytes(), "slow": try run(31).jsonBytes(),
        "boot": Array(sketch.utf8), "-": model.jsonBytes(), "page": Array(try run(20).page().utf8),
      ]
    } catch {
      fail("the files of the commands are wrong: \(error)")
    }
  }()
}

extension String {
  /// Returns whether the text contains the beginning of a word, either as it is or quoted. The
  /// comparison uses bytes, because the first letter may form a single character with the text
  /// before it.
  fileprivate func names(_ word: String) -> Bool {
    [word.singleLine[...], word.swiftLiteral.dropLast()].contains { shown in
      utf8.firstRange(of: shown.utf8.prefix(20)) != nil
    }
  }
}
