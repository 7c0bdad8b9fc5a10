import Foundation
import Hummingbird

/// What belongs to a request: as Hummingbird has it, but that the keys of JSON are in one order.
package struct TrackerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }

  package var responseEncoder: JSONEncoder { .sorted }
}

extension JSONEncoder {
  /// Writes the same value as the same bytes, always, so that they can be compared.
  static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }
}
