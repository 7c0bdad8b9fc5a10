import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests that any encoder writes, and any decoder reads, the same document.
@Suite(.watched) struct CodableTests {
  @Test func encodersWriteTheSameDocument() async throws {
    let run = try await richPond().run().recorded()

    let model = try JSONEncoder().encode(run.model)
    let document = try JSONEncoder().encode(run)

    #expect(try PondModel(json: model).json() == run.model.json())
    #expect(try RecordedRun(json: document).json() == run.json())
    let parsed = try JSONSerialization.jsonObject(with: document) as? NSDictionary
    let own = try JSONSerialization.jsonObject(with: Data(run.jsonBytes())) as? NSDictionary
    #expect(parsed == own)
  }

  @Test func decodersReadWhatIsWrittenHere() async throws {
    let run = try await richPond().run().recorded()

    let model = try JSONDecoder().decode(PondModel.self, from: Data(run.model.jsonBytes()))
    let copy = try JSONDecoder().decode(RecordedRun.self, from: Data(run.jsonBytes()))

    #expect(model.json() == run.model.json())
    #expect(copy.json() == run.json())
  }

  @Test func propertyListsKeepRunsToo() async throws {
    let run = try await richPond().run().recorded()

    let data = try PropertyListEncoder().encode(run)

    #expect(try PropertyListDecoder().decode(RecordedRun.self, from: data).json() == run.json())
  }

  @Test func theirErrorsLeadToTheValue() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    pond.pebble("show", .timeout(.seconds(1))) {}
    let text = try pond.model().json().replacing("1000000000", with: "0")

    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([PondModel].self, from: Data("[\(text)]".utf8))
    }

    guard case .dataCorrupted(let context) = error else {
      Issue.record("it was \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue).dropFirst() == ["pebbles", "1"])
    #expect(context.debugDescription.contains("\"show\" has a timeout of"))
    #expect(context.underlyingError is JSONError)
  }

  @Test(arguments: ["1", "[]", "{\"format\": null}", "{\"format\": 1.5}", "\"pond\""])
  func whatIsNoModelIsADecodingError(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PondModel.self, from: Data(text.utf8))
    }
  }

  @Test func decodersKeepToTheLimits() {
    let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    let long = "\"\(String(repeating: "a", count: 1 << 20 + 1))\""

    for (value, problem) in [(deep, "64 deep"), (long, "longer than 1048576 bytes")] {
      let error = #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(RecordedRun.self, from: Data("{\"format\": \(value)}".utf8))
      }
      guard case .dataCorrupted(let context) = error else {
        Issue.record("it was \(String(describing: error))")
        continue
      }
      #expect(context.debugDescription.contains(problem))
      #expect(context.codingPath.first?.stringValue == "format")
      #expect(context.underlyingError is JSONError)
    }
  }
}
