/// Values that come from another process.
extension RunValues {
  /// Takes it as given how a pebble has ended; nothing follows from it here.
  ///
  /// - Parameters:
  ///   - outcome: How it has ended.
  ///   - pebble: The pebble.
  ///   - decoding: Makes its output; `nil` if it has none.
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
