import Foundation
import Pebbles
import PebblesDurable
import TemporalWire

/// What a body, or a teardown, is called with: a manifest, which says how the pebbles ended that it
/// reads, and behind that the outputs of those that have one, just as they were returned. So an
/// output that is encrypted is never opened on the way.
struct BodyManifest: Codable, Sendable, Hashable {
  struct Input: Codable, Sendable, Hashable {
    let pebble: String

    /// Where its output stands behind the manifest, from 0; `nil` if it has none.
    var output: Int?

    /// What it failed with.
    var error: RecordedError?

    /// Why it was skipped.
    var skip: SkipReason?
  }

  var inputs: [Input] = []

  /// Which run it is for: the one that was started, also after a reset.
  var run = ""

  /// Whether not a body is to be called but a teardown: its only input is its own pebble. Left out
  /// where cases are asked for: a worker of a release that knows of none cannot read that, and
  /// leaves the call to others.
  private(set) var isTeardown: Bool? = false

  /// The cases that the graph of the run has of the pebble, of which the worker is to say which
  /// hold; `nil` if there are none.
  private(set) var cases: [PebbleCase]?
}

extension BodyManifest {
  /// That of a teardown.
  ///
  /// - Parameter input: Its own pebble.
  /// - Returns: The manifest.
  static func teardown(of input: Input) -> BodyManifest {
    BodyManifest(inputs: [input], isTeardown: true)
  }

  /// Asks which of these cases hold once the body has ended.
  mutating func ask(for cases: [PebbleCase]) {
    guard !cases.isEmpty else { return }
    self.cases = cases
    isTeardown = nil
  }

  /// Puts the manifest together.
  ///
  /// - Parameters:
  ///   - outcomes: The pebbles that the body reads, and how they ended.
  ///   - outputs: Their outputs.
  /// - Returns: The manifest, and the outputs that stand behind it.
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

  /// What the body is called with.
  ///
  /// - Parameter outputs: What stands behind the manifest.
  /// - Returns: How the pebbles ended that it reads, by name.
  /// - Throws: `ReplayError` if there is less than the manifest says.
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
