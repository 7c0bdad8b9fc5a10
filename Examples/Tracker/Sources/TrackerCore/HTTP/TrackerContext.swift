import Foundation
import Hummingbird

/// The context of a request. Unlike Hummingbird's default context, it sorts the keys of JSON.
package struct TrackerContext: RequestContext {
  package var coreContext: CoreRequestContextStorage

  package init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }

  package var responseEncoder: JSONEncoder { .sorted }
}

extension JSONEncoder {
  /// An encoder that encodes equal values as equal bytes, so that the bytes can be compared.
  static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }
}
