import PebblesTestSupport

/// The places at which tests cut off a journal: near each end of a line, and sometimes in between.
/// In a full run of the tests, these are all bytes.
enum JournalCuts {
  static func lengths(of bytes: [UInt8]) -> [Int] {
    let aboutEnds = Set(lineEnds(of: bytes).flatMap { [$0 - 1, $0, $0 + 1] })
    return (0...bytes.count).filter {
      Thoroughness.isFull || $0 % 130 == 0 || aboutEnds.contains($0)
    }
  }

  /// Returns the length of the journal up to the end of each line.
  static func lineEnds(of bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }
}
