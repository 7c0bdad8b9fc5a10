import Foundation
import PebblesAnalysis

@testable import PebblesDurable

/// The contents of a journal, read without a pond.
struct JournalText {
  let header: JournalHeader?
  private(set) var entries: [(entry: JournalEntry, payload: ArraySlice<UInt8>?)] = []

  init(_ bytes: [UInt8]) throws {
    guard var reader = try JournalReader(bytes) else {
      header = nil
      return
    }
    header = reader.header
    while let next = try reader.next() { entries.append(next) }
  }

  init(at path: String) throws {
    try self.init(Array((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()))
  }

  /// The pebbles that have ended, except those whose outputs could not be kept.
  var endedForGood: Set<String> {
    Set(
      entries.compactMap { entry, _ in
        guard case .ended(let end) = entry, end.missing == nil else { return nil }
        return end.pebble
      })
  }

  /// The pebbles that have succeeded and whose outputs, if they have any, are kept.
  var kept: Set<String> {
    Set(
      entries.compactMap { entry, _ in
        guard case .ended(let end) = entry, end.missing == nil, end.error == nil else { return nil }
        return end.pebble
      })
  }

  var tornDown: Set<String> {
    Set(
      entries.compactMap { entry, _ in
        if case .tornDown(let name, _, _) = entry { name } else { nil }
      })
  }

  var isOver: Bool { if case .runFinished? = entries.last?.entry { true } else { false } }

  /// Short descriptions of the entries, each with the kind of the entry and the name of its pebble.
  var words: [String] {
    entries.map { entry, _ in
      switch entry {
      case .process: "process"
      case .only(let names): "only \(names.joined(separator: " "))"
      case .given(let name, _, let missing): "given \(name)" + (missing == nil ? "" : " missing")
      case .began(let disabled): (["began"] + disabled).joined(separator: " ")
      case .called(let name, let attempt, _): "called \(name) \(attempt)"
      case .failed(let name, _, _): "failed \(name)"
      case .ended(let end): "ended \(end.pebble)"
      case .up(let name, _, _): "up \(name)"
      case .serviceEnded(let name, _): "left \(name)"
      case .decided(let name, _): "decided \(name)"
      case .skipped(let name, _, _): "skipped \(name)"
      case .leaving: "leaving"
      case .cancelled: "cancelled"
      case .stopping: "stopping"
      case .tornDown(let name, _, _): "tornDown \(name)"
      case .lateTeardownFailed(let name, _, _): "lateTeardownFailed \(name)"
      case .runFinished: "over"
      case .synced: "synced"
      }
    }
  }
}
