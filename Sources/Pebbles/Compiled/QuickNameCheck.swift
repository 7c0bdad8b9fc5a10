/// A quick look for repeated names, for the ordinary case that there are none.
///
/// `Set` would do, but its keyed hash and its copies of the strings made it a third of the time a
/// large pond took from definition to report. This table holds only positions. It hashes UTF-8 in
/// words with a multiply and fold as in wyhash (Wang Yi, 2019), under a seed drawn per table, so
/// that names cannot be chosen to collide. Texts beyond ASCII may be equal with different bytes;
/// those are left to `Set`.
struct QuickNameCheck {
  private static let empty = UInt32.max

  private let seed = UInt64.random(in: .min ... .max)
  private var places: [UInt32]
  private let mask: Int

  private init(capacity: Int) {
    var size = 16
    while size < 2 * capacity { size *= 2 }
    places = Array(repeating: Self.empty, count: size)
    mask = size - 1
  }

  /// Whether every name is ASCII, none is empty, and no two are equal.
  static func areDistinctAndASCII(_ names: StableSlice<String>) -> Bool {
    var table = QuickNameCheck(capacity: names.count)
    return names.indices.allSatisfy { table.insert($0, of: names) }
  }

  private mutating func insert(_ position: Int, of names: StableSlice<String>) -> Bool {
    var name = names[position]
    guard let hash = hash(&name) else { return false }
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != Self.empty {
      if names[Int(places[place])] == name { return false }
      place = (place + 1) & mask
    }
    places[place] = UInt32(position)
    return true
  }

  /// The hash of a name, or `nil` if it is empty or not ASCII.
  private func hash(_ name: inout String) -> UInt64? {
    name.withUTF8 { characters in
      let bytes = UnsafeRawBufferPointer(characters)
      var hash = seed ^ UInt64(bytes.count)
      var seen: UInt64 = 0
      func take(_ word: UInt64) {
        seen |= word
        let (high, low) = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        hash = high ^ low
      }
      var start = 0
      while start + 8 <= bytes.count {
        take(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        start += 8
      }
      if start < bytes.count { take(bytes[start...].reduce(0) { $0 << 8 | UInt64($1) }) }
      return seen & 0x8080_8080_8080_8080 == 0 && !bytes.isEmpty ? hash : nil
    }
  }
}
