import Logging
import Pebbles

extension Logger.MetadataProvider {
  /// A metadata provider that adds the name of a pebble to every record that the pebble's body or
  /// teardown logs.
  ///
  /// ```swift
  /// LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .pebbles)
  /// ```
  ///
  /// The keys are `pond`, `pebble` and, from the second attempt on, `attempt`. Nothing is added to
  /// records logged outside bodies and teardowns. To combine this provider with another, use
  /// `.multiplex([.pebbles, …])`.
  public static let pebbles = Logger.MetadataProvider {
    guard let context = PebbleContext.current else { return [:] }
    var metadata: Logger.Metadata = ["pond": "\(context.pond)", "pebble": "\(context.pebble)"]
    if context.attempt > 1 { metadata["attempt"] = "\(context.attempt)" }
    return metadata
  }
}
