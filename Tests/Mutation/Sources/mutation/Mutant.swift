/// A change to the code that is active if the variable `POND_MUTANT` contains its number.
struct Mutant: Codable, Sendable {
  /// The identity of the mutant, which depends only on the code and its function. It does not
  /// change if lines move, or if other mutants are added or removed elsewhere.
  let id: String

  /// The number that activates the mutant. It is valid for a single build.
  let number: Int
  let room: String
  let file: String
  let line: Int
  let function: String
  let kind: MutantKind
  let before: String
  let after: String

  /// The place, the kind and the change, in one line.
  var summary: String {
    "\(id) \(file):\(line) \(function): \(kind.rawValue): \(before.oneLine) → \(after.oneLine)"
  }
}

extension String {
  /// The text in a single line, shortened if it is long.
  var oneLine: String {
    let words = split { $0.isNewline || $0 == " " }.joined(separator: " ")
    return words.count > 90 ? "\(words.prefix(60)) … \(words.suffix(25))" : words
  }

  /// The FNV-1a hash of the text as ten digits.
  var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // Mixed once more, as the last bytes of like texts hardly reach the upper half.
    hash ^= hash >> 32
    hash &*= 0x9e37_79b9_7f4a_7c15
    hash ^= hash >> 29
    let digits = String(hash, radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).suffix(10))
  }
}
