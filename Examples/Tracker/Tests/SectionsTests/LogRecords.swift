import Logging
import Synchronization

/// Keeps what is logged.
final class LogRecords: Sendable {
  struct Record: Sendable, Hashable {
    let level: Logger.Level
    let message: String
    let metadata: [String: String]
  }

  private let records = Mutex<[Record]>([])

  var all: [Record] { records.withLock { $0 } }

  /// A logger whose records are kept here.
  var logger: Logger { Logger(label: "test") { _ in Handler(records: self) } }

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
        metadata: (event.metadata ?? [:]).mapValues { "\($0)" })
      records.records.withLock { $0.append(record) }
    }
  }
}
