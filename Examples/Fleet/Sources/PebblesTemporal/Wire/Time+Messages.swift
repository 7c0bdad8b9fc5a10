import SwiftProtobuf

extension Google_Protobuf_Timestamp {
  /// The time since 1970.
  var sinceEpoch: Duration { .seconds(seconds) + .nanoseconds(nanos) }
}

extension Google_Protobuf_Duration {
  /// Creates a duration in whole nanoseconds, limited to the range from zero to ten years, because
  /// the server adds it to the time of day.
  init(_ duration: Duration) {
    let bounded = min(max(duration, .zero), .seconds(315_360_000))
    self.init(
      seconds: bounded.components.seconds,
      nanos: Int32(bounded.components.attoseconds / 1_000_000_000))
  }

  var duration: Duration { .seconds(seconds) + .nanoseconds(nanos) }
}
