#if os(Linux)

import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that outputs take memory only as long as their run exists.
@Suite(.watched) struct ReleasedOutputTests {
  /// Measures the memory of a separate process, because other tests use memory in this one.
  @Test func thePlacesOfOutputsAreFreedWithTheirRun() async {
    await #expect(processExitsWith: .success) {
      let pond = Pond("large")
      for number in 0..<10_000 { pond.pebble("p\(number)") {} }
      let storage = RunStorage(pond.program().pond)
      func fill(_ count: Int) {
        for _ in 0..<count {
          RunValues(names: storage.values.names, storage.state, services: [:])
            .setPayload(OutputBox(1), at: 0)
        }
      }

      fill(10)
      let before = try memoryInUse()
      // Each has places for 10,000 outputs.
      fill(1_000)

      #expect(try memoryInUse() - before < 1_000 * 10_000 * MemoryLayout<Int>.size / 2)
    }
  }
}

/// Returns the memory that this process uses, in bytes.
private func memoryInUse() throws -> Int {
  let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
  let pages = try #require(words.dropFirst().first.flatMap { Int($0) })
  return pages * sysconf(Int32(_SC_PAGESIZE))
}

#endif
