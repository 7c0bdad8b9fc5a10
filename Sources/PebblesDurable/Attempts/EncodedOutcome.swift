import Pebbles

/// How a pebble ended in another process, with its output as bytes: what the body of a pebble that
/// reads it is called with, in ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)``.
public enum EncodedOutcome: Sendable, Hashable {
  /// The body returned; with its output, or `nil` if it has none.
  case succeeded([UInt8]?)

  /// The body failed for good; with what is left of its error.
  case failed(RecordedError)

  /// The body was never called, for this reason.
  case skipped(SkipReason)

  /// Makes one of how a pebble ended, as ``Scheduler/outcome(of:)`` tells.
  ///
  /// - Parameters:
  ///   - outcome: How the pebble ended.
  ///   - output: Its output, if it has one; of no meaning unless it has succeeded.
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

  /// The output as bytes, if there is one.
  var output: [UInt8]? {
    if case .succeeded(let output) = self { output } else { nil }
  }
}
