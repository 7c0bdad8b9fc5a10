import GRPCCore
import SwiftProtobuf
import TemporalWire

extension Temporal {
  private static let service = "temporal.api.workflowservice.v1.WorkflowService"

  /// The maximum size of a message, in bytes. This is more than enough, because a page of a history
  /// has at most four megabytes.
  private static let largestMessage = 64 << 20

  /// Calls a method, and repeats the call as long as it fails for possibly transient reasons.
  ///
  /// - Parameters:
  ///   - method: The name of the method.
  ///   - request: The request.
  ///   - limit: The time limit of a single call.
  ///   - patience: The total time limit of all repetitions of the call.
  ///   - purpose: The purpose of the call.
  ///   - type: The type of the answer.
  /// - Returns: The answer.
  /// - Throws: `RPCError` if the failure is permanent, or if no further call can be made in time;
  ///   `CancellationError` if the task is cancelled.
  func call<Request: Message, Answer: Message>(
    _ method: String, _ request: Request, within limit: Duration = .seconds(10),
    patience: Duration = .seconds(60), for purpose: TemporalConnections.Purpose = .call,
    as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    var backoff = CallBackoff()
    let clock = ContinuousClock()
    let start = clock.now
    while true {
      do {
        let answer: Answer = try await callOnce(method, request, within: limit, for: purpose)
        silence.answered()
        return answer
      } catch let error as RPCError {
        try Task.checkCancellation()
        // A call that waits for a worker, or for the end of a run, is expected to be late.
        let isLate = error.code == .deadlineExceeded && purpose == .call
        if error.code == .unavailable || isLate { silence.failed(error) }
        guard let delay = backoff.delay(after: error), clock.now - start + delay < patience
        else { throw error }
        try await Task.sleep(for: delay)
      }
    }
  }

  /// Calls a method once, without repeating a failed call. Pollers use this method, because they
  /// repeat their calls anyway.
  func callOnce<Request: Message, Answer: Message>(
    _ method: String, _ request: Request, within limit: Duration,
    for purpose: TemporalConnections.Purpose, as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    var options = CallOptions.defaults
    options.timeout = limit
    options.maxResponseMessageBytes = Self.largestMessage
    options.maxRequestMessageBytes = Self.largestMessage
    return try await connections.make(purpose) { [options] grpc in
      try await grpc.unary(
        request: ClientRequest(message: request, metadata: metadata),
        descriptor: MethodDescriptor(fullyQualifiedService: Self.service, method: method),
        serializer: MessageCoder<Request>(), deserializer: MessageCoder<Answer>(), options: options
      ) { try $0.message }
    }
  }
}

/// A coder that converts messages to bytes and back.
private struct MessageCoder<Content: Message>: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: Content) throws -> Bytes {
    let bytes: [UInt8] = try message.serializedBytes()
    return Bytes(bytes)
  }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Content {
    try bytes.withUnsafeBytes { try Content(serializedBytes: Array($0)) }
  }
}

/// A sequence of increasing delays between repetitions of a failed call.
struct CallBackoff {
  private static let first = Duration.milliseconds(50)
  private static let longest = Duration.seconds(5)

  private var ceiling = first

  /// Returns the delay before the next call, and prepares a longer delay for the following one.
  ///
  /// - Returns: The delay; `nil` if the error is permanent.
  mutating func delay(after error: RPCError) -> Duration? {
    guard error.isTransient else { return nil }
    defer { ceiling = min(ceiling * 2, Self.longest) }
    // Half of it is random, because all workers lose a server at the same moment.
    return ceiling * Double.random(in: 0.5...1)
  }
}
