import SwiftProtobuf

extension Google_Protobuf_Timestamp {
  /// The time since the beginning of 1970, in UTC.
  var sinceEpoch: Duration { .seconds(seconds) + .nanoseconds(nanos) }
}

extension Google_Protobuf_Duration {
  /// Creates a message from a duration, which is limited to the range from zero to ten years. The
  /// server adds durations to the current date, so a longer duration could overflow.
  init(_ duration: Duration) {
    let bounded = min(max(duration, .zero), .seconds(315_360_000))
    self.init(
      seconds: bounded.components.seconds,
      nanos: Int32(bounded.components.attoseconds / 1_000_000_000))
  }

  var duration: Duration { .seconds(seconds) + .nanoseconds(nanos) }
}
