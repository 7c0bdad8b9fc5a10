import Logging
import Synchronization

/// A collection of the records written by a logger.
package final class LogRecords: Sendable {
  package struct Record: Sendable, Hashable {
    package let level: Logger.Level
    package let message: String
    package let metadata: [String: String]
  }

  private let records = Mutex<[Record]>([])

  package init() {}

  package var all: [Record] { records.withLock { $0 } }

  /// A logger that writes its records to this collection.
  package var logger: Logger { Logger(label: "test") { _ in Handler(records: self) } }

  private struct Handler: LogHandler {
    let records: LogRecords
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let record = Record(
        level: event.level, message: "\(event.message)",
        metadata: metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" })
      records.records.withLock { $0.append(record) }
    }
  }
}
