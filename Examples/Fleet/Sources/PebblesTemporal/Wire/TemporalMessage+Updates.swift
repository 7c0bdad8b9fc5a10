import SwiftProtobuf
import TemporalWire

extension TemporalMessage {
  /// The types of bodies, as the whole API calls them: our part of it has one package for all.
  private static let request = "temporal.api.update.v1.Request"
  private static let rejection = "type.googleapis.com/temporal.api.update.v1.Rejection"

  /// Rejects an update: nothing in a pond changes from outside while it runs. `nil` if the message
  /// is no update.
  ///
  /// - Parameter message: What the server has sent.
  /// - Throws: `BinaryEncodingError` if it cannot be written.
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
