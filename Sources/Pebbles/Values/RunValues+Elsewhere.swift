/// Values that come from another process.
extension RunValues {
  /// Records the outcome that a pebble had in another process. The outcome does not decide any
  /// conditions in this process.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the pebble.
  ///   - pebble: The pebble.
  ///   - decoding: A function that decodes the output; `nil` if the pebble has no output.
  func assume(_ outcome: Outcome, of pebble: Int, _ decoding: OutputDecoding?) {
    switch outcome {
    case .succeeded:
      if let decoding { setPayload(EncodedOutput(decoding), at: pebble) }
      state.assume(.succeeded, of: pebble)
    case .failed(let error):
      setPayload(ErrorBox(error), at: pebble)
      state.assume(.failed, of: pebble)
    case .skipped(let reason):
      setPayload(SkipReasonBox(reason), at: pebble)
      state.assume(.skippedByCondition, of: pebble)
    }
  }

  /// Decodes the output of a pebble that has succeeded in another process. `output(at:as:)` never
  /// returns an output from another process.
  ///
  /// - Throws: `UndecodableOutput` if the output is missing or cannot be decoded.
  func decodedOutput<Output: Sendable>(
    at pebble: Int, as type: Output.Type
  ) throws(UndecodableOutput) -> Output {
    guard state.status(of: pebble) == .succeeded else {
      preconditionFailure("an input was read before its pebble succeeded")
    }
    do throws(UndecodableOutput.Reason) {
      guard let encoded = payload(of: pebble) as? EncodedOutput else { throw .isMissing }
      return try encoded.decoded(as: Output.self)
    } catch {
      throw UndecodableOutput(pebble: names[pebble], type: "\(Output.self)", reason: error)
    }
  }
}
