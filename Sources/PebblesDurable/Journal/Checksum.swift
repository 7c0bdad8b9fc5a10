/// The cyclic redundancy check CRC-32C, as used by iSCSI (RFC 3720), ext4 and database logs. The
/// check uses the polynomial published by G. Castagnoli (1993), and detects every error burst of up
/// to 32 bits.
enum Checksum {
  /// Returns the checksum of the given bytes.
  ///
  /// - Complexity: O(bytes).
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let contiguous = bytes.withContiguousStorageIfAvailable(register)
    return ~(contiguous ?? Array(bytes).withUnsafeBufferPointer(register))
  }

  /// Returns the checksum of the given bytes as lowercase hexadecimal digits.
  static func text(of bytes: some Sequence<UInt8>) -> [UInt8] {
    let checksum = of(bytes)
    return (0..<textLength).map { digits[Int(checksum >> UInt32(28 - 4 * $0) & 0xF)] }
  }

  /// The number of hexadecimal digits in a checksum.
  static let textLength = 8

  /// The hexadecimal digits that a checksum may contain.
  static let digits = Array("0123456789abcdef".utf8)

  private static func register(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      bytes.reduce(~0) { register, byte in
        register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)]
      }
    }
  }

  /// The effect of each byte on the checksum, indexed by the byte, with the bits in reverse order.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1) * 0x82F6_3B78 }
  }
}
