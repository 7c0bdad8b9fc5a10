import Foundation
import Pebbles
import PebblesAnalysis

/// How a run goes, beside its graph: with that the input of its workflow, so that whoever decides
/// comes to the same, whatever it was started with itself.
struct RunSettings: Codable, Sendable, Hashable {
  /// What is written here and may be read there: another number is of another release.
  static let currentVersion = 2

  /// The least that a server stores of one payload, in bytes, as it comes.
  static let usualLargestPayload = 2 << 20

  var version = currentVersion

  /// How long the run takes at the latest, in milliseconds; `nil` for as long as it likes.
  var within: Int64?

  /// After how long without a heartbeat the worker of a body is taken for lost, in milliseconds.
  var heartbeat: Int64 = 10_000

  /// How much a body may be handed, and may return, in bytes; a little less than the server takes.
  var largestPayload = usualLargestPayload - (64 << 10)

  /// How large the history of the run may become with what is to be done, in bytes, before it is
  /// cancelled. The server ends it at 50 MB without further ado; the rest is for the outputs of
  /// what runs then, and for the way back.
  var largestHistory = 42 << 20

  /// How many bodies may be under way at the same time: the server takes 2,000.
  var mostPending = 1_900

  /// The pebbles that take no part.
  var disabled: [String] = []

  /// The pebbles whose bodies are not called again when their worker is lost.
  var failingOnLoss: Set<String> = []
}

/// The input of a workflow: a graph, and how it is to be run.
struct RunInput {
  let model: PondModel
  let settings: RunSettings

  init(_ model: PondModel, _ settings: RunSettings) {
    self.model = model
    self.settings = settings
  }

  /// The input as two texts of JSON.
  func encoded() throws -> [[UInt8]] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return [Array(try encoder.encode(settings)), model.jsonBytes()]
  }

  /// Reads what ``encoded()`` has written.
  ///
  /// - Throws: `ReplayError` for anything else.
  init(_ payloads: [Data]) throws(ReplayError) {
    guard payloads.count == 2 else {
      throw ReplayError(
        "the input of the workflow has \(payloads.count) parts instead of two; it was not started "
          + "as a pond")
    }
    do {
      settings = try JSONDecoder().decode(RunSettings.self, from: payloads[0])
      model = try PondModel(json: String(decoding: payloads[1], as: UTF8.self))
    } catch {
      throw ReplayError("the input of the workflow cannot be read: \(error)")
    }
    guard settings.version == RunSettings.currentVersion else {
      throw ReplayError(
        "the run was started by another release: its input is of version \(settings.version), and "
          + "\(RunSettings.currentVersion) is understood here")
    }
  }
}

/// A history that does not fit the pond that it is of.
struct ReplayError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
