import Foundation
import Pebbles
import PebblesDurable
import TemporalWire

/// The first payload in the input of a body or a teardown. It describes the outcomes of the pebbles
/// that the body or the teardown reads. The outputs of these pebbles follow as separate payloads,
/// which are passed on unchanged. Encrypted outputs therefore need not be decrypted on the way.
struct BodyManifest: Codable, Sendable, Hashable {
  struct Input: Codable, Sendable, Hashable {
    let pebble: String

    /// The index of the output among the payloads after the manifest; `nil` if the pebble has no
    /// output.
    var output: Int?

    /// The error of a failed pebble; `nil` for other outcomes.
    var error: RecordedError?

    /// The reason why a pebble was skipped; `nil` for other outcomes.
    var skip: SkipReason?
  }

  var inputs: [Input] = []

  /// The identifier of the run. A reset does not change it.
  var run = ""

  /// Whether to call a teardown instead of a body. The only input of a teardown is its own pebble.
  ///
  /// The value is `nil` for a body whose worker must report cases. Workers of older releases do
  /// not support cases. They cannot decode a manifest that lacks this value, and therefore leave
  /// the call to other workers.
  private(set) var isTeardown: Bool? = false

  /// The cases of the pebble in the graph of the run, to be checked by the worker; `nil` for a
  /// teardown, or if the pebble has no cases.
  private(set) var cases: [PebbleCase]?
}

extension BodyManifest {
  /// Returns the manifest of a teardown.
  ///
  /// - Parameter input: The pebble to tear down.
  /// - Returns: The manifest.
  static func teardown(of input: Input) -> BodyManifest {
    BodyManifest(inputs: [input], isTeardown: true)
  }

  /// Adds the cases of the pebble, so that the worker reports which of them hold after the body has
  /// ended. Does nothing if there are no cases.
  mutating func ask(for cases: [PebbleCase]) {
    guard !cases.isEmpty else { return }
    self.cases = cases
    isTeardown = nil
  }

  /// Creates a manifest.
  ///
  /// - Parameters:
  ///   - outcomes: The pebbles that the body reads, with their outcomes.
  ///   - outputs: A closure that returns the output of a pebble, or `nil` if it has no output.
  /// - Returns: The manifest, and the outputs that follow it.
  static func make(
    _ outcomes: [(pebble: String, outcome: Outcome)], outputs: (String) -> TemporalPayload?
  ) -> (BodyManifest, [TemporalPayload]) {
    var manifest = BodyManifest()
    var payloads: [TemporalPayload] = []
    for (pebble, outcome) in outcomes {
      var input = Input(pebble: pebble)
      switch outcome {
      case .succeeded:
        if let output = outputs(pebble) {
          input.output = payloads.count
          payloads.append(output)
        }
      case .failed(let error): input.error = RecordedError(recording: error)
      case .skipped(let reason): input.skip = reason
      }
      manifest.inputs.append(input)
    }
    return (manifest, payloads)
  }

  /// Returns the outcomes with which the body is called.
  ///
  /// - Parameter outputs: The payloads after the manifest.
  /// - Returns: The outcomes of the pebbles that the body reads, keyed by name.
  /// - Throws: `ReplayError` if an output is missing.
  func outcomes(_ outputs: [TemporalPayload]) throws(ReplayError) -> [String: EncodedOutcome] {
    var outcomes: [String: EncodedOutcome] = [:]
    for input in inputs {
      if let error = input.error {
        outcomes[input.pebble] = .failed(error)
      } else if let reason = input.skip {
        outcomes[input.pebble] = .skipped(reason)
      } else if let place = input.output {
        guard outputs.indices.contains(place) else {
          throw ReplayError("the output of \(input.pebble) is missing among the inputs")
        }
        outcomes[input.pebble] = .succeeded(Array(outputs[place].data))
      } else {
        outcomes[input.pebble] = .succeeded(nil)
      }
    }
    return outcomes
  }
}
