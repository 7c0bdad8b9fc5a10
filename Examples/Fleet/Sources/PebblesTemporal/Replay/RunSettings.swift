import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import TemporalWire

/// How a run goes, beside its graph: with that the input of its workflow, so that whoever decides
/// comes to the same, whatever it was started with itself.
struct RunSettings: Codable, Sendable, Hashable {
  /// What is written here and may be read there: another number is of another release.
  static let currentVersion = 2

  /// The same of a run that is given something, or is of a part of its pond: a worker that does not
  /// know of that leaves it to others.
  static let versionInPart = 3

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

  /// The pebbles that the run is of, with all that these need; `nil` for everything.
  var only: [String]?

  /// What the run is given; `nil` for nothing.
  var given: [GivenOutput]?

  /// What a run is given for one pebble.
  struct GivenOutput: Codable, Sendable, Hashable {
    let pebble: String

    /// The cases that hold of it: asked by who started the run, so that a replay calls no closure.
    let cases: [PebbleCase]

    /// Where it stands behind the graph, from 0; `nil` if there is nothing to it.
    let output: Int?
  }
}

/// The input of a workflow: a graph, how it is to be run, and what it is given.
struct RunInput {
  let model: PondModel
  private(set) var settings: RunSettings

  /// What the run is given, as the server stores it: nobody opens it who decides.
  let outputs: [TemporalPayload]

  init(_ model: PondModel, _ settings: RunSettings, _ outputs: [TemporalPayload] = []) {
    self.model = model
    self.settings = settings
    self.outputs = outputs
    if settings.given != nil || settings.only != nil {
      self.settings.version = RunSettings.versionInPart
    }
  }

  /// The same with what the run is given.
  ///
  /// - Parameters:
  ///   - values: What it is given, by pebble.
  ///   - codec: Turns it into what the server stores.
  /// - Returns: The input.
  /// - Throws: What the codec throws.
  func given(
    _ values: [String: AttemptResult], _ codec: any PayloadCodec
  ) async throws -> RunInput {
    guard !values.isEmpty else { return self }
    var settings = settings
    var outputs: [TemporalPayload] = []
    var given: [RunSettings.GivenOutput] = []
    for (pebble, value) in values.sorted(by: { $0.key < $1.key }) {
      guard case .succeeded(let bytes, let cases) = value else { continue }
      given.append(
        .init(pebble: pebble, cases: cases, output: bytes.map { _ in outputs.count }))
      if let bytes { outputs.append(try await codec.encode(json: bytes)) }
    }
    settings.given = given
    return RunInput(model, settings, outputs)
  }

  /// The graph, and how it is to be run, as two texts of JSON.
  func encoded() throws -> [[UInt8]] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return [Array(try encoder.encode(settings)), model.jsonBytes()]
  }

  /// Reads what ``encoded()`` has written.
  ///
  /// - Parameters:
  ///   - payloads: That.
  ///   - outputs: What stands behind it.
  /// - Throws: `ReplayError` for anything else.
  init(_ payloads: [Data], _ outputs: [TemporalPayload] = []) throws(ReplayError) {
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
    let known = RunSettings.currentVersion...RunSettings.versionInPart
    guard known.contains(settings.version) else {
      throw ReplayError(
        "the run was started by another release: its input is of version \(settings.version), and "
          + "\(known.lowerBound) to \(known.upperBound) are understood here")
    }
    let places = (settings.given ?? []).compactMap(\.output)
    guard places.allSatisfy(outputs.indices.contains) else {
      throw ReplayError("the given values are missing in the input of the workflow")
    }
    self.outputs = outputs
  }
}

/// A history that does not fit the pond that it is of.
struct ReplayError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
