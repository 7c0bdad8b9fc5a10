import Foundation
import Hummingbird

/// The context of a request. It differs from Hummingbird's default in that JSON has sorted keys.
package struct TrackerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }

  package var responseEncoder: JSONEncoder { .sorted }
}

extension JSONEncoder {
  /// An encoder that always writes equal values as equal bytes, so that they can be compared.
  static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }
}
