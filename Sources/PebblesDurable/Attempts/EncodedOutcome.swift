import Pebbles

/// The outcome of a pebble in another process, with the pebble's output as bytes. Pass the outcome
/// to ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)`` as an input of another pebble's
/// body.
public enum EncodedOutcome: Sendable, Hashable {
  /// A success. The associated value is the output of the body; `nil` if there is no output.
  case succeeded([UInt8]?)

  /// A permanent failure. The associated value is the recorded error of the body.
  case failed(RecordedError)

  /// A skip. The body was not called, or was not called again after a crash. The associated value
  /// is the reason.
  case skipped(SkipReason)

  /// Creates an encoded outcome from an outcome, as returned by ``Scheduler/outcome(of:)``.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the pebble.
  ///   - output: The output of the pebble; `nil` if there is no output. It is ignored if the pebble
  ///     did not succeed.
  public init(_ outcome: Outcome, output: [UInt8]?) {
    self =
      switch outcome {
      case .succeeded: .succeeded(output)
      case .failed(let error): .failed(RecordedError(recording: error))
      case .skipped(let reason): .skipped(reason)
      }
  }

  /// The outcome without its output.
  var outcome: Outcome {
    switch self {
    case .succeeded: .succeeded
    case .failed(let error): .failed(error)
    case .skipped(let reason): .skipped(reason)
    }
  }

  /// The output as bytes; `nil` if there is no output.
  var output: [UInt8]? {
    if case .succeeded(let output) = self { output } else { nil }
  }
}
