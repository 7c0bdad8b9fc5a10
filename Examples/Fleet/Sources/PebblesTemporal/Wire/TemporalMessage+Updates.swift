import SwiftProtobuf
import TemporalWire

extension TemporalMessage {
  /// The names that the official API gives to the types of message bodies. They differ from the
  /// names in our copy of the API, which has a single package.
  private static let request = "temporal.api.update.v1.Request"
  private static let rejection = "type.googleapis.com/temporal.api.update.v1.Rejection"

  /// Creates a message that rejects an update, because a running pond cannot be changed from
  /// outside. Returns `nil` if the given message is not an update.
  ///
  /// - Parameter message: The message of the server.
  /// - Throws: `BinaryEncodingError` if the rejection cannot be encoded.
  init?(rejecting message: TemporalMessage) throws {
    guard message.body.typeURL.split(separator: "/").last.map(String.init) == Self.request
    else { return nil }
    var rejection = TemporalRejection()
    rejection.rejectedRequestMessageID = message.id
    rejection.rejectedRequestSequencingEventID = message.eventID
    if let request = try? TemporalRequest(serializedBytes: message.body.value) {
      rejection.rejectedRequest = request
    }
    rejection.failure = .application(
      "a pond takes no updates; ask for its status with the query \"\(FleetStatus.query)\", or "
        + "cancel it", type: "UpdateRejected", isFinal: true)
    self.init()
    id = "\(message.id)/reject"
    protocolInstanceID = message.protocolInstanceID
    body.typeURL = Self.rejection
    body.value = try rejection.serializedData()
  }
}
