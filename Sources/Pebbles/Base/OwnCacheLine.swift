extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Allocates memory for one value, on cache lines that contain nothing else. Use this method for
  /// words that many threads write, because a write to a cache line invalidates the whole line on
  /// all other cores.
  ///
  /// The allocation takes 128 bytes, because current processors fetch cache lines in pairs, and
  /// some have cache lines of that size.
  static func allocateOnOwnCacheLine() -> UnsafeMutablePointer {
    UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
      .bindMemory(to: Pointee.self, capacity: 1)
  }
}
