/// A change to the code that is active if the environment variable `POND_MUTANT` contains its
/// number.
struct Mutant: Codable, Sendable {
  /// The identifier of the mutant. It is the same in every version of the file in which the
  /// function contains this code, even if lines are moved, or if other mutants are added or
  /// removed. Mutants with the same change in the same function are numbered.
  let id: String

  /// The number that activates the mutant in a particular build.
  let number: Int
  let room: String
  let file: String
  let line: Int
  let function: String
  let kind: MutantKind
  let before: String
  let after: String

  /// The position, the kind and the change, in one line.
  var summary: String {
    "\(id) \(file):\(line) \(function): \(kind.rawValue): \(before.oneLine) → \(after.oneLine)"
  }
}

extension String {
  /// The text in a single line, with the middle of a long text omitted.
  var oneLine: String {
    let words = split { $0.isNewline || $0 == " " }.joined(separator: " ")
    return words.count > 90 ? "\(words.prefix(60)) … \(words.suffix(25))" : words
  }

  /// A hash of the text, as ten hexadecimal digits: an FNV-1a hash that is mixed once more.
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
