/// A fast check for repeated names, optimized for the usual case in which all names are distinct.
///
/// A `Set` would work, but its keyed hash and its copies of the strings take 500 instructions per
/// pebble, as counted by callgrind. Defining, running and reading a pebble takes 1,640 to 3,820
/// instructions, and a `Set` would cost 13 to 31 % of that.
///
/// This table holds 31 bits of the hash of each name. If two names agree in these bits, they may be
/// equal, and the caller has to use a `Set` to decide. The hash combines the words of the UTF-8
/// text by multiplying and folding, as in wyhash (Wang Yi, 2019). Each table has a random seed, so
/// names cannot be chosen to collide. Names that are not ASCII can be equal although their bytes
/// differ, so they also require a `Set`.
struct QuickNameCheck: ~Copyable {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let finalMultiplier: UInt64 = 0xD6E8_FEB8_6659_FD93

  private let seed = UInt64.random(in: .min ... .max)

  /// The hash table, with open addressing. Each name is stored as the upper half of its hash, made
  /// odd so that it is never 0. The lower half gives the slot at which the search begins. An empty
  /// slot is 0.
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

  /// Returns whether every name is ASCII, none is empty, and no two are equal. The result is
  /// incorrectly `false` for about one in five thousand ponds of a million pebbles.
  static func areDistinctAndASCII(_ names: StableSlice<String>) -> Bool {
    let table = QuickNameCheck(capacity: names.count)
    return names.indices.allSatisfy { table.insert(names.address(of: $0)) }
  }

  /// Inserts a name.
  ///
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

  /// Returns the hash of a name; `nil` if it is empty or not ASCII.
  @inline(__always)
  private borrowing func hash(_ name: UnsafePointer<String>) -> UInt64? {
    // `withUTF8` would need a mutable copy, which would retain the storage of the string.
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
        // The last eight bytes, some of which may have been taken already.
        take(bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      } else {
        take(Self.word(of: bytes, count))
      }
      guard seen & 0x8080_8080_8080_8080 == 0 else { return nil }
      // Folds once more, so that the last word affects all bits of the hash.
      return Self.fold(hash, Self.finalMultiplier)
    } ?? nil
  }

  /// Packs one to seven bytes into one word.
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
