import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that damaged documents are either read or rejected with an error, and never cause a crash.
@Suite(.watched) struct JSONFuzzTests {
  @Test func damagedDocumentsAreReadOrRefusedAtAPlace() async throws {
    let run = try await richPond().run().recorded()
    let documents = [run.model.jsonBytes(), run.jsonBytes()]
    var generator = SeededGenerator(seed: 3)
    var readCount = 0
    for round in 0..<4_000 {
      var bytes = documents[round % 2]
      for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&bytes, using: &generator) }
      do {
        try readAgain(bytes, asRun: round % 2 == 1)
        readCount += 1
      } catch {
        #expect((0...bytes.count).contains(error.offset))
        #expect(error.line >= 1 && error.column >= 1 && !error.problem.isEmpty)
      }
    }
    #expect(readCount > 50)
  }

  @Test func everyBeginningOfADocumentIsRefusedAtItsEndOrBefore() async throws {
    let bytes = try await richPond().run().recorded().jsonBytes()
    for length in stride(from: 0, to: bytes.count, by: 7) {
      let error = refusal { () throws(JSONError) in try RecordedRun(json: bytes[..<length]) }
      #expect((error?.offset ?? .max) <= length)
      await Task.yield()
    }
  }

  @Test func bytesByChanceAreRefused() async {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        tokens.randomElement(using: &generator) ?? 0
      }
      #expect(refusal { () throws(JSONError) in try PondModel(json: bytes) } != nil)
      #expect(refusal { () throws(JSONError) in try RecordedRun(json: bytes) } != nil)
      await Task.yield()
    }
  }

  /// Returns the error that a closure throws, like `#expect(throws:)`. That macro takes time
  /// proportional to the number of errors that exist in the whole process, and other tests create a
  /// hundred thousand of them.
  private func refusal<Value>(_ read: () throws(JSONError) -> Value) -> JSONError? {
    do throws(JSONError) {
      _ = try read()
      return nil
    } catch {
      return error
    }
  }

  private let tokens = Array("{}[]\",:0123456789-.eE+truefalsn\\u \n\u{FF}pondvi".utf8)

  /// Reads a damaged document. If it can be read, checks that the model or the run is valid, and
  /// that it is the same after it has been written and read again.
  private func readAgain(_ bytes: [UInt8], asRun isRun: Bool) throws(JSONError) {
    if isRun {
      let run = try RecordedRun(json: bytes)
      #expect(run.fault == nil)
      #expect(try RecordedRun(json: run.jsonBytes()).jsonBytes() == run.jsonBytes())
    } else {
      let model = try PondModel(json: bytes)
      #expect(model.pond.faults.isEmpty)
      #expect(try PondModel(json: model.jsonBytes()).jsonBytes() == model.jsonBytes())
      _ = model.names.indices.map { model.condition(at: $0).description }
    }
  }

  private func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &generator)
    let length = Int.random(in: 1...60, using: &generator)
    let range = place..<min(place + length, bytes.count)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes.removeSubrange(place...)
    case 2: bytes.removeSubrange(range)
    case 3: bytes.insert(contentsOf: bytes[range], at: place)
    case 4: bytes[place] = tokens.randomElement(using: &generator) ?? 0
    case 5:
      let depth = [1, 10, 100, 10_000].randomElement(using: &generator) ?? 1
      bytes.replaceSubrange(range, with: [UInt8](repeating: UInt8(ascii: "["), count: depth))
    case 6: replaceNumber(in: &bytes, after: place, using: &generator)
    default: replaceLine(in: &bytes, after: place, using: &generator)
    }
  }

  /// Replaces a number with another value, which may be too small, too large, of another type, or
  /// valid.
  private func replaceNumber(
    in bytes: inout [UInt8], after place: Int, using generator: inout SeededGenerator
  ) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
    let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
    let numbers = [
      "0", "1", "2", "3", "7", "12", "-1", "1.5", "1e9", "4294967295", "9223372036854775807",
      "18446744073709551615", "18446744073709551616", "null", "[]", "{}",
    ]
    let number = numbers.randomElement(using: &generator) ?? ""
    bytes.replaceSubrange(start..<end, with: number.utf8)
  }

  /// Duplicates a line, replaces it with another line, or swaps two lines, so that keys, pebbles
  /// and conditions are exchanged.
  private func replaceLine(
    in bytes: inout [UInt8], after place: Int, using generator: inout SeededGenerator
  ) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let from = Int.random(in: lines.indices, using: &generator)
    let to = Int.random(in: lines.indices, using: &generator)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: lines.insert(lines[from], at: to)
    case 1: lines.swapAt(from, to)
    default: lines[to] = lines[from]
    }
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
