import Foundation

/// The encodings that a client accepts, according to its `Accept-Encoding` header (RFC 9110,
/// 12.5.3).
struct AcceptedEncodings: Sendable, Hashable {
  /// Whether the client accepts gzip.
  let hasGzip: Bool

  /// Parses header values.
  ///
  /// - Parameter values: The values of all `Accept-Encoding` fields; may be empty.
  init(_ values: [String]) {
    let qualities = Self.qualities(of: values)
    hasGzip = (qualities["gzip"] ?? qualities["x-gzip"] ?? qualities["*"] ?? 0) > 0
  }

  /// Returns the weight of each item in a list, keyed by the lowercased item. In `gzip;q=0.5, br`,
  /// the weights are 0.5 and 1. An invalid weight counts as 0.
  static func qualities(of values: [String]) -> [String: Double] {
    var qualities: [String: Double] = [:]
    for item in values.joined(separator: ",").split(separator: ",").prefix(50) {
      let parts = item.split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces).lowercased()
      }
      guard let name = parts.first, !name.isEmpty else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
      let quality = weight.map { Double($0) ?? 0 } ?? 1
      qualities[name] = max(qualities[name] ?? 0, (0...1).contains(quality) ? quality : 0)
    }
    return qualities
  }
}
