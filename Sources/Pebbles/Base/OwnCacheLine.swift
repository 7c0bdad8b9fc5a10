extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Memory for one value that shares no cache line with anything else, for words that many threads
  /// write: a core that writes a line takes it away from all others, whatever else stands there.
  ///
  /// 128 bytes, because current processors fetch lines in pairs, and some have lines of that size.
  static func allocateOnOwnCacheLine() -> UnsafeMutablePointer {
    UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
      .bindMemory(to: Pointee.self, capacity: 1)
  }
}
