/// The options of a command line, after the command.
struct Arguments {
  private var values: [String: String] = [:]

  static let known: Set = [
    "--sample", "--seed", "--room", "--mutant", "--jobs", "--survivors", "--anew",
    "--within",
  ]
  private static let flags: Set = ["--survivors", "--anew"]

  init(_ words: some Sequence<String>) throws {
    var words = words.makeIterator()
    while let word = words.next() {
      guard Self.known.contains(word) else { throw Failure("unknown: \(word)") }
      if Self.flags.contains(word) {
        values[word] = ""
      } else if let value = words.next() {
        values[word] = value
      } else {
        throw Failure("\(word) needs a value")
      }
    }
  }

  func has(_ flag: String) -> Bool { values[flag] != nil }

  func text(_ option: String) -> String? { values[option] }

  func number(_ option: String) throws -> Int? {
    guard let text = values[option] else { return nil }
    guard let number = Int(text), number > 0 else {
      throw Failure("\(option) takes a number above 0, not \(text)")
    }
    return number
  }
}
