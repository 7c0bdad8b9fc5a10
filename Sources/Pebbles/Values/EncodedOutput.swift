/// A function that decodes an output of a given type from its bytes.
package typealias OutputDecoding =
  @Sendable (_ type: any Decodable.Type) throws -> any Decodable

/// The encoded output of a pebble that has succeeded in another process.
///
/// This class is safe to share, because its instances never change.
final class EncodedOutput: AnyOutput, @unchecked Sendable {
  private let decoding: OutputDecoding

  init(_ decoding: @escaping OutputDecoding) {
    self.decoding = decoding
  }

  func decoded<Output>(as type: Output.Type) throws(UndecodableOutput.Reason) -> Output {
    // If a new version of the program has removed the output of a pebble, no body needs the bytes.
    if Output.self == Void.self, let nothing = () as? Output { return nothing }
    guard let decodable = Output.self as? any Decodable.Type else { throw .isNotDecodable }
    let decoded: any Decodable
    do {
      decoded = try decoding(decodable)
    } catch {
      throw .isRefused("\(error)".truncated(to: RecordedError.longestText))
    }
    guard let output = decoded as? Output else { throw .isOfAnotherType }
    return output
  }
}

extension AnyOutput? {
  /// Returns the decoded output of a pebble that has succeeded in another process, for the teardown
  /// of that pebble. `output(as:)` never returns an output from another process.
  ///
  /// - Throws: `UndecodableOutput` if the output is missing or cannot be decoded.
  func outputElsewhere<Output: Sendable>(as type: Output.Type) throws(UndecodableOutput) -> Output {
    do throws(UndecodableOutput.Reason) {
      guard let self else { throw .isMissing }
      guard let encoded = self as? EncodedOutput else {
        preconditionFailure("a pebble is torn down with an output of another type")
      }
      return try encoded.decoded(as: Output.self)
    } catch {
      throw UndecodableOutput(pebble: nil, type: "\(Output.self)", reason: error)
    }
  }
}

/// An error that occurs when an output is missing, or cannot be decoded from its bytes.
package struct UndecodableOutput: Error, CustomStringConvertible {
  enum Reason: Error {
    case isMissing
    case isNotDecodable
    case isOfAnotherType

    /// A decoding failure, with the text of the thrown error.
    case isRefused(String)
  }

  /// The name of the pebble whose output cannot be decoded; `nil` if that pebble itself fails with
  /// this error.
  let pebble: String?
  let type: String
  let reason: Reason

  package var description: String {
    let output =
      pebble.map { "the output of \($0.shortName)" } ?? "its output"
    return switch reason {
    case .isMissing: "\(output), of type \(type), is missing"
    case .isNotDecodable: "\(output) is \(type), which is not Decodable"
    case .isOfAnotherType: "\(output) was not decoded as \(type)"
    case .isRefused(let problem): "\(output) cannot be decoded as \(type): \(problem)"
    }
  }
}

/// The reason why a pebble was skipped in another process.
///
/// This class is safe to share, because its instances never change.
final class SkipReasonBox: AnyOutput, @unchecked Sendable {
  let reason: SkipReason

  init(_ reason: SkipReason) {
    self.reason = reason
  }
}
