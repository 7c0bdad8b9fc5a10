/// One change of the code, made when the variable `POND_MUTANT` names its number.
struct Mutant: Codable, Sendable {
  /// The same in each tree that has this code in this function: neither lines that move nor mutants
  /// that come or go elsewhere change it.
  let id: String

  /// What switches it on, in one build only.
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
  /// The text in a line, and not a long one.
  var oneLine: String {
    let words = split { $0.isNewline || $0 == " " }.joined(separator: " ")
    return words.count > 90 ? "\(words.prefix(60)) … \(words.suffix(25))" : words
  }

  /// Ten digits that tell this text from others: FNV-1a.
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
