import Foundation
import Pebbles
import PebblesDurable
import TemporalWire

/// The manifest in the input of a call of a body or a teardown, with the ends of the pebbles that
/// it reads. The outputs of these pebbles follow the manifest unchanged, so encrypted outputs need
/// not be decrypted on the way.
struct BodyManifest: Codable, Sendable, Hashable {
  struct Input: Codable, Sendable, Hashable {
    let pebble: String

    /// The index of the output among the payloads after the manifest; `nil` if there is no output.
    var output: Int?

    /// The error of a failed pebble; `nil` for other outcomes.
    var error: RecordedError?

    /// The reason why a pebble was skipped; `nil` for other outcomes.
    var skip: SkipReason?
  }

  var inputs: [Input] = []

  /// The identifier of the run. After a reset, it is still the identifier of the run that was
  /// reset.
  var run = ""

  /// Whether to call a teardown, whose only input is its own pebble, instead of a body. `nil` if
  /// the worker must report cases: a worker of an older release, which does not know cases, then
  /// cannot read the manifest, and leaves the call to other workers.
  private(set) var isTeardown: Bool? = false

  /// The cases of the pebble in the graph of the run, to be checked by the worker; `nil` if there
  /// are none.
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
  ///   - outputs: A closure that returns the output of a pebble; `nil` if there is no output.
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
  /// - Returns: The outcomes of the pebbles it reads, by name.
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
