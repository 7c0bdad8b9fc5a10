/// Values that come from another process.
extension RunValues {
  /// Takes it as given how a pebble has ended; nothing follows from it here.
  func assume(_ outcome: EncodedOutcome, of pebble: Int, _ coder: any OutputCoder) {
    switch outcome {
    case .succeeded(let output):
      if let output { setPayload(EncodedOutput(output, coder), at: pebble) }
      state.assume(.succeeded, of: pebble)
    case .failed(let error):
      setPayload(ErrorBox(error), at: pebble)
      state.assume(.failed, of: pebble)
    case .skipped(let reason):
      setPayload(SkipReasonBox(reason), at: pebble)
      state.assume(.skippedByCondition, of: pebble)
    }
  }

  /// The output of a pebble that has succeeded elsewhere, for the body that reads it: what
  /// `output(at:as:)` does not know.
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
