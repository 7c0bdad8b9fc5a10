import Testing

@testable import PebblesDurable

/// Tests of the checksum against the values that RFC 3720 (B.4) and catalogues of CRCs give.
@Suite struct ChecksumTests {
  @Test(
    arguments: [
      (Array("123456789".utf8), 0xE306_9283), (Array(repeating: 0, count: 32), 0x8A91_36AA),
      (Array(repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E), ([], 0),
    ] as [([UInt8], UInt32)])
  func itIsThatOfCRC32C(bytes: [UInt8], checksum: UInt32) {
    #expect(Checksum.of(bytes) == checksum)
    #expect(Checksum.of(bytes.lazy.map(\.self)) == checksum)
  }
}
