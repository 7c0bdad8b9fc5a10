import Pebbles

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A coder that converts outputs to journal payloads, and back.
struct JournaledOutputs: Sendable {
  let program: Program
  let coder: any OutputCoder

  /// The maximum size, in bytes, of an encoded output that is kept.
  let largest: Int

  /// Whether payloads are text. JSON is written unchanged to keep it readable; everything else is
  /// encoded in Base64.
  private var isText: Bool { coder is JSONOutputs }

  /// The form of an output in the journal.
  enum Form {
    /// No payload, because the pebble has no output.
    case nothing
    case payload([UInt8])
    /// An output that cannot be kept. The associated value is the reason, worded to follow the
    /// pebble's name in a sentence: `"is a service, which ended with its process"`.
    case missing(String)

    var payload: [UInt8]? { if case .payload(let bytes) = self { bytes } else { nil } }
    var missing: String? { if case .missing(let clause) = self { clause } else { nil } }
  }

  /// Returns the form of a pebble's output in the journal. This method calls user code.
  func kept(_ output: AnyOutput?, of pebble: Int) -> Form {
    if program.options[UInt32(pebble)]?.isService == true {
      return .missing("is a service, which ended with its process")
    }
    guard let output, let type = program.outputType(of: pebble) else { return .nothing }
    guard let encodable = output.encodable else {
      return .missing("has lost its output, which could not be kept: \(type) is not Encodable")
    }
    guard type is any Decodable.Type else {
      return .missing("has lost its output, which could not be kept: \(type) is not Decodable")
    }
    do {
      let bytes = try coder.encode(encodable)
      guard bytes.count <= largest else {
        return .missing(
          "has lost its output, which could not be kept: it takes \(bytes.count) bytes, but "
            + "the limit is \(largest)")
      }
      if isText { return .payload(bytes) }
      return .payload(Array(Data(bytes).base64EncodedString().utf8))
    } catch {
      let problem = "\(error)".truncated(to: 500).singleLine
      return .missing("has lost its output, which could not be encoded: \(problem)")
    }
  }

  /// Returns the output of a pebble that has succeeded, decoded from its payload. This method calls
  /// user code.
  func output(
    of pebble: Int, from payload: ArraySlice<UInt8>?
  ) throws(JournalReader.Fault) -> AnyOutput? {
    guard let type = program.outputType(of: pebble) else { return nil }
    let name = program.pond.graph.names[pebble].shortName
    guard let payload else {
      throw .otherOutput("has no output of \(name), which now has the output type \(type)")
    }
    guard let decodable = type as? any Decodable.Type else {
      throw .otherOutput(
        "has an output of \(name), which now has the output type \(type); that is not Decodable")
    }
    let known = isText ? Array(payload) : Data(base64Encoded: Data(payload)).map { Array($0) }
    guard let bytes = known else {
      throw .otherOutput(
        "has an output of \(name) that cannot be decoded as \(type): it is not in Base64")
    }
    do {
      let value = try coder.decode(decodable, from: bytes)
      if let output = program.boxed(value, of: pebble) { return output }
    } catch {
      let problem = "\(error)".truncated(to: 500).singleLine
      throw .otherOutput("has an output of \(name) that cannot be decoded as \(type): \(problem)")
    }
    throw .otherOutput("has an output of \(name) that was not decoded as \(type)")
  }
}

extension RunProgress {
  /// The pebbles that have succeeded, except services and pebbles whose output is missing from the
  /// journal.
  var kept: Set<Int> {
    steps.reduce(into: []) { kept, step in
      if case .ended(let end) = step, end.succeeded, !(end.payload is MissingOutput) {
        kept.insert(end.pebble)
      }
    }
  }
}

extension RunProgress.End {
  /// Returns a copy of this end with another output. The end of a failed pebble does not change,
  /// because it has an error instead of an output.
  func replacing(_ output: AnyOutput?) -> RunProgress.End {
    guard succeeded else { return self }
    return RunProgress.End(
      pebble, succeeded: succeeded, cases, output, started: started, finished: finished,
      attempts: attempts, wasCancelled: wasCancelled)
  }
}
