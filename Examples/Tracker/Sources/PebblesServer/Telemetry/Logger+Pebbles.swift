import Logging
import Pebbles

extension Logger.MetadataProvider {
  /// Adds to every record that is logged by the body of a pebble from which one it is.
  ///
  /// ```swift
  /// LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .pebbles)
  /// ```
  ///
  /// The keys are `pond`, `pebble` and, from the second attempt on, `attempt`. Nothing is added
  /// outside of bodies. Another provider goes along by `.multiplex([.pebbles, …])`.
  public static let pebbles = Logger.MetadataProvider {
    guard let context = PebbleContext.current else { return [:] }
    var metadata: Logger.Metadata = ["pond": "\(context.pond)", "pebble": "\(context.pebble)"]
    if context.attempt > 1 { metadata["attempt"] = "\(context.attempt)" }
    return metadata
  }
}
