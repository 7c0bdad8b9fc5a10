import PebblesTestSupport

/// Where tests cut a journal: about every end of a line, and now and then in between; if they are
/// to look at everything, at every byte.
enum JournalCuts {
  static func lengths(of bytes: [UInt8]) -> [Int] {
    let aboutEnds = Set(lineEnds(of: bytes).flatMap { [$0 - 1, $0, $0 + 1] })
    return (0...bytes.count).filter {
      Thoroughness.isFull || $0 % 130 == 0 || aboutEnds.contains($0)
    }
  }

  /// How long the journal is up to the end of each line.
  static func lineEnds(of bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }
}
