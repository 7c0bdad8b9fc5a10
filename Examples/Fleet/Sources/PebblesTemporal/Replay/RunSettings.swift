import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import TemporalWire

/// The settings of a run. The settings and the graph are part of the input of the workflow, so all
/// workers make the same decisions.
struct RunSettings: Codable, Sendable, Hashable {
  /// The version of the format that this release writes.
  static let currentVersion = 2

  /// The version for runs that have given values or are limited to some of their pond's pebbles.
  /// Workers that do not support this version leave these runs to other workers.
  static let versionInPart = 3

  /// The smallest payload limit of a default server, in bytes.
  static let usualLargestPayload = 2 << 20

  var version = currentVersion

  /// The time limit of the run, in milliseconds; `nil` for no limit.
  var within: Int64?

  /// The time without a heartbeat after which a body's worker counts as lost, in milliseconds.
  var heartbeat: Int64 = 10_000

  /// The maximum size of the input of a body, and also of its output, in bytes. It is slightly
  /// below the limit of the server.
  var largestPayload = usualLargestPayload - (64 << 10)

  /// The size limit of the history, in bytes. The run is cancelled if the history, including its
  /// expected growth, exceeds this limit. At 50 MB, the server ends a run without a teardown. The
  /// difference leaves room for the outputs of running bodies and for the teardown.
  var largestHistory = 42 << 20

  /// The maximum number of pending calls. The server accepts at most 2,000.
  var mostPending = 1_900

  /// The disabled pebbles.
  var disabled: [String] = []

  /// The pebbles whose bodies and teardowns are not called again if their worker is lost.
  var failingOnLoss: Set<String> = []

  /// The pebbles to run, along with everything they need; `nil` for all.
  var only: [String]?

  /// The given values; `nil` if the run has no given values.
  var given: [GivenOutput]?

  /// The given value of a pebble.
  struct GivenOutput: Codable, Sendable, Hashable {
    let pebble: String

    /// The cases that hold for the value. They are determined when the run is started, because a
    /// replay cannot call closures.
    let cases: [PebbleCase]

    /// The index of the value among the payloads after the graph; `nil` if the pebble has no
    /// output.
    let output: Int?
  }
}

/// The input of a workflow: the graph, the settings, and the given values.
struct RunInput {
  let model: PondModel
  private(set) var settings: RunSettings

  /// The given values as the server stores them. Decisions do not need to decode them.
  let outputs: [TemporalPayload]

  init(_ model: PondModel, _ settings: RunSettings, _ outputs: [TemporalPayload] = []) {
    self.model = model
    self.settings = settings
    self.outputs = outputs
    if settings.given != nil || settings.only != nil {
      self.settings.version = RunSettings.versionInPart
    }
  }

  /// Returns the input with given values added.
  ///
  /// - Parameters:
  ///   - values: The given values, keyed by the name of the pebble.
  ///   - codec: The codec that encodes values for the server.
  /// - Returns: The input.
  /// - Throws: Any error thrown by the codec.
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

  /// Returns the settings and the graph, both as JSON.
  func encoded() throws -> [[UInt8]] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return [Array(try encoder.encode(settings)), model.jsonBytes()]
  }

  /// Creates the input from the result of ``encoded()``.
  ///
  /// - Parameters:
  ///   - payloads: The settings and the graph.
  ///   - outputs: The given values as the server stores them.
  /// - Throws: `ReplayError` if the payloads are invalid.
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

/// A mismatch between a history and the pond of its run.
struct ReplayError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
