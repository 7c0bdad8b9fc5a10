/// A quick look for repeated names, for the ordinary case that there are none.
///
/// `Set` would do, but its keyed hash and its copies of the strings take 500 instructions for each
/// pebble, of 1,640 to 3,820 that define, run and read it: 13 to 31 % more, by callgrind.
///
/// This table holds 32 bits of the hash of each name: where two agree the names may be equal, and
/// `Set` has to tell. It hashes UTF-8 in words with a multiply and fold as in wyhash (Wang Yi,
/// 2019), under a seed drawn per table, so that names cannot be chosen to collide. Texts beyond
/// ASCII may be equal with different bytes; those are left to `Set`.
struct QuickNameCheck: ~Copyable {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let finalMultiplier: UInt64 = 0xD6E8_FEB8_6659_FD93

  private let seed = UInt64.random(in: .min ... .max)

  /// A part of each hash, never 0, at or behind the place that the rest of the hash says; 0 where
  /// there is none.
  private let tags: UnsafeMutablePointer<UInt32>
  private let mask: Int

  private init(capacity: Int) {
    var size = 16
    while size < 2 * capacity { size *= 2 }
    tags = .allocate(capacity: size)
    tags.initialize(repeating: 0, count: size)
    mask = size - 1
  }

  deinit { tags.deallocate() }

  /// Whether every name is ASCII, none is empty, and no two are equal. May be `false` although that
  /// is so: about once in ten thousand ponds of a million pebbles.
  static func areDistinctAndASCII(_ names: StableSlice<String>) -> Bool {
    let table = QuickNameCheck(capacity: names.count)
    return names.indices.allSatisfy { table.insert(names.address(of: $0)) }
  }

  /// - Returns: Whether the name is certain to be new.
  @inline(__always)
  private borrowing func insert(_ name: UnsafePointer<String>) -> Bool {
    guard let hash = hash(name) else { return false }
    let tag = UInt32(truncatingIfNeeded: hash >> 32) | 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while tags[place] != 0 {
      if tags[place] == tag { return false }
      place = (place + 1) & mask
    }
    tags[place] = tag
    return true
  }

  /// The hash of a name, or `nil` if it is empty or not ASCII.
  @inline(__always)
  private borrowing func hash(_ name: UnsafePointer<String>) -> UInt64? {
    // Not `withUTF8`, which needs a copy to change, and so counts a reference.
    name.pointee.utf8.withContiguousStorageIfAvailable { [seed] characters -> UInt64? in
      guard let bytes = UnsafeRawPointer(characters.baseAddress), !characters.isEmpty else {
        return nil
      }
      let count = characters.count
      var hash = seed ^ UInt64(truncatingIfNeeded: count)
      var seen: UInt64 = 0
      @inline(__always)
      func take(_ word: UInt64) {
        seen |= word
        hash = Self.fold(hash ^ word, Self.multiplier)
      }
      if count >= 8 {
        for start in stride(from: 0, to: count - 8, by: 8) {
          take(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        // The last eight, some of which may have been taken before.
        take(bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      } else {
        take(Self.word(of: bytes, count))
      }
      guard seen & 0x8080_8080_8080_8080 == 0 else { return nil }
      // Once more, so that the last word reaches all bits.
      return Self.fold(hash, Self.finalMultiplier)
    } ?? nil
  }

  /// One to seven bytes as one word.
  @inline(__always)
  private static func word(of bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 4 {
      let low = bytes.loadUnaligned(as: UInt32.self)
      let high = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(low) | UInt64(high) << 32
    }
    let low = bytes.load(as: UInt8.self)
    let middle = bytes.load(fromByteOffset: count >> 1, as: UInt8.self)
    let high = bytes.load(fromByteOffset: count - 1, as: UInt8.self)
    return UInt64(low) | UInt64(middle) << 8 | UInt64(high) << 16
  }

  @inline(__always)
  private static func fold(_ word: UInt64, _ multiplier: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: multiplier)
    return high ^ low
  }
}
