import Foundation

/// Where tests cut a journal: by default at every thirteenth byte and about every end of a line;
/// with `CUTS=all` in the environment at every byte.
enum JournalCuts {
  static var areAll: Bool { ProcessInfo.processInfo.environment["CUTS"] == "all" }

  static func lengths(of bytes: [UInt8]) -> [Int] {
    let aboutEnds = Set(lineEnds(of: bytes).flatMap { [$0 - 1, $0, $0 + 1] })
    return (0...bytes.count).filter { areAll || $0 % 13 == 0 || aboutEnds.contains($0) }
  }

  /// How long the journal is up to the end of each line.
  static func lineEnds(of bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }
}
