import Foundation
import PebblesAnalysis
import Testing

/// Tests that files written by earlier versions can still be read.
@Suite struct KeptFilesTests {
  @Test func aPondIsRead() throws {
    let model = try PondModel(json: try text("pond"))

    #expect(model.count == 9)
    #expect(model.names.contains("cache/disk/open"))
    #expect(model.condition(at: 2).description.contains("offline"))
    #expect(try PondModel(json: model.json()).json() == model.json())
  }

  @Test(arguments: ["run", "services", "nested", "cancelled"])
  func aRunIsRead(_ name: String) throws {
    let run = try RecordedRun(json: try text(name))

    #expect(!run.pebbles.isEmpty)
    #expect(try RecordedRun(json: run.json()).json() == run.json())
    // It is understood, not only read.
    _ = try run.timing()
  }

  @Test func whatHappenedIsAllThere() throws {
    let services = try RecordedRun(json: try text("services"))
    let nested = try RecordedRun(json: try text("nested"))
    let cancelled = try RecordedRun(json: try text("cancelled"))

    #expect(services.pebbles[1].service?.restarts.map(\.attempt) == [2, 3])
    #expect(services.pebbles[2].service?.isDown == true)
    #expect(services.pebbles[3].lateTeardownErrors == ["late"])
    #expect(services.shutdown?.teardowns.map(\.error) == [nil, nil, "busy"])
    #expect(nested.nested.first?.run.nested.first?.run.model.names == ["x"])
    #expect(cancelled.cancellation?.reason == "ping failed")
    #expect(cancelled.pebbles[0].wasCancelled)
  }

  @Test func predicatesAreRefused() throws {
    let (pond, run) = (try text("refused-pond"), try text("refused-run"))

    #expect(throws: JSONError.self) { try PondModel(json: pond) }
    #expect(throws: JSONError.self) { try RecordedRun(json: run) }
  }

  /// Checks that fields that are planned for later versions are ignored.
  @Test func plannedFieldsAreAccepted() throws {
    let pond = try text("pond")
    let model = try PondModel(
      json: pond.replacing("{\"name\": \"first\"", with: "{\"mayEnd\": true, \"name\": \"first\""))
    #expect(model.json() == (try PondModel(json: pond)).json())

    let run = try text("services")
    let read = try RecordedRun(
      json: run.replacing("\"nested\": []", with: "\"goalReached\": true, \"nested\": []")
        .replacing("{\"duration\"", with: "{\"nested\": [], \"duration\"")
        .replacing("\"attempt\": 2", with: "\"with\": 0, \"attempt\": 2"))
    #expect(read.json() == (try RecordedRun(json: run)).json())
  }

  private func text(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return try String(contentsOf: folder.appending(path: "\(name).json"), encoding: .utf8)
  }
}
