/// A cache of known conjunctions. Its size is limited, so newer conjunctions replace older ones.
struct ConjunctionTable: Sendable {
  private var keys = [UInt64](repeating: 0, count: 1 << 10)
  private var values = [BooleanFunction](repeating: .always, count: 1 << 10)

  // More entries would rarely be found again before they leave the processor's caches.
  private static let mostEntries = 1 << 20

  subscript(left: BooleanFunction, right: BooleanFunction) -> BooleanFunction? {
    get {
      let key = Self.key(left, right)
      let place = place(of: key)
      return keys[place] == key ? values[place] : nil
    }
    set {
      let key = Self.key(left, right)
      let place = place(of: key)
      keys[place] = newValue == nil ? 0 : key
      values[place] = newValue ?? .always
    }
  }

  /// Returns the key for two operands, regardless of their order. The key is never 0, because
  /// conjunctions with constants have no entry.
  private static func key(_ left: BooleanFunction, _ right: BooleanFunction) -> UInt64 {
    UInt64(min(left.word, right.word)) << 32 | UInt64(max(left.word, right.word))
  }

  private func place(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: key.mixed(0)) & (keys.count - 1)
  }

  mutating func grow(to count: Int) {
    guard count > keys.count, count <= Self.mostEntries else { return }
    let known = zip(keys, values).filter { $0.0 != 0 }
    keys = Array(repeating: 0, count: count)
    values = Array(repeating: .always, count: count)
    for (key, value) in known {
      let place = place(of: key)
      keys[place] = key
      values[place] = value
    }
  }

  var count: Int { keys.count }

  /// Removes the entries in which an operand or the conjunction is a node numbered `count` or
  /// higher. Checking only the operands is not enough, because the conjunction of two old nodes can
  /// be a new node.
  mutating func forgetNodes(since count: Int) {
    let firstWord = UInt64(count) << 1
    for place in keys.indices where keys[place] != 0 {
      // The lower half of a key is its larger operand.
      if keys[place] & 0xFFFF_FFFF >= firstWord || values[place].word >= firstWord {
        keys[place] = 0
      }
    }
  }
}

extension UInt64 {
  /// Returns a hash of this word and another word. As in wyhash (Wang Yi, 2019), the words are
  /// multiplied, and the halves of the product are combined.
  func mixed(_ other: UInt64) -> UInt64 {
    let word = self ^ (other &* 0xA076_1D64_78BD_642F)
    let (high, low) = (word ^ 0xE703_7ED1_A0B4_28DB)
      .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }
}
