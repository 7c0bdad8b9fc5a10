import Foundation
import SwiftProtobuf
import TemporalWire

@testable import PebblesTemporal

/// Methods that read and write histories as files. A file contains the JSON format of the protocol,
/// with one event per line. Payloads that contain JSON are stored as text instead of in Base64.
extension KeptHistory {
  /// The folder with all histories. It contains a folder for each time that histories were
  /// recorded, which contains one file per pond.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Histories", directoryHint: .isDirectory)

  /// The folder in which to record histories; `nil` if no histories are to be recorded.
  static let newFolder: URL? = ProcessInfo.processInfo.environment["RECORD_HISTORIES"].map { day in
    folder.appending(path: day, directoryHint: .isDirectory)
  }

  /// The paths of all histories relative to `folder`, such as `2026-11-25/wide.json`.
  static let files: [String] = {
    let files = FileManager.default.enumerator(atPath: folder.path)
    return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }()

  /// Reads a history from a file.
  ///
  /// - Parameter file: One of the paths in `files`.
  /// - Throws: An error if the file cannot be read.
  init(file: String) throws {
    try self.init(
      text: String(contentsOf: Self.folder.appending(path: file), encoding: .utf8))
  }

  init(text: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let plain = try JSONSerialization.data(
      withJSONObject: Self.changed(object, Self.withEncodedText))
    self.init(try TemporalHistory(jsonUTF8Bytes: plain).events)
  }

  /// Returns the history as text. Fields that are not part of our copy of the API are omitted.
  func text() throws -> String {
    let lines = try events.map { event in
      let object = try JSONSerialization.jsonObject(with: event.jsonUTF8Data())
      let line = try JSONSerialization.data(
        withJSONObject: Self.changed(object, Self.withPlainText),
        options: [.sortedKeys, .withoutEscapingSlashes])
      return String(decoding: line, as: UTF8.self)
    }
    return "{\"events\":[\n\(lines.joined(separator: ",\n"))\n]}\n"
  }

  /// The history without data that is specific to the run or to the machine that recorded it. The
  /// times of the events remain, because the record of the run depends on them.
  var cleaned: KeptHistory {
    KeptHistory(
      events.map { event in
        var event = event
        switch event.attributes {
        case .workflowExecutionStartedEventAttributes(var started):
          started.taskQueue.name = Temporal.usualTaskQueue
          started.originalExecutionRunID = ""
          event.attributes = .workflowExecutionStartedEventAttributes(started)
        case .activityTaskStartedEventAttributes(var started):
          started.identity = ""
          event.attributes = .activityTaskStartedEventAttributes(started)
        default: break
        }
        return event
      })
  }

  // MARK: - Payloads

  private static let textKey = "text"

  /// Returns JSON in which each object has been replaced with the result of `change`. Inner objects
  /// are replaced first.
  private static func changed(
    _ json: Any, _ change: ([String: Any]) throws -> [String: Any]
  ) rethrows -> Any {
    if let list = json as? [Any] { return try list.map { try changed($0, change) } }
    guard let object = json as? [String: Any] else { return json }
    return try change(try object.mapValues { try changed($0, change) })
  }

  private static func withPlainText(_ object: [String: Any]) throws -> [String: Any] {
    guard object["metadata"] != nil, object["data"] != nil else { return object }
    let bytes = try JSONSerialization.data(withJSONObject: object)
    let payload = try TemporalPayload(jsonUTF8Bytes: bytes)
    guard payload == TemporalPayload(json: payload.data) else { return object }
    return [textKey: String(decoding: payload.data, as: UTF8.self)]
  }

  private static func withEncodedText(_ object: [String: Any]) throws -> [String: Any] {
    guard object.count == 1, let text = object[textKey] as? String else { return object }
    let payload = try TemporalPayload(json: text.utf8).jsonUTF8Data()
    return try JSONSerialization.jsonObject(with: payload) as? [String: Any] ?? object
  }
}
