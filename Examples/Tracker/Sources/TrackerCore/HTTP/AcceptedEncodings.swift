import Foundation

/// What a client takes, in the words of `Accept-Encoding` (RFC 9110, 12.5.3).
struct AcceptedEncodings: Sendable, Hashable {
  /// Whether it takes gzip.
  let hasGzip: Bool

  /// - Parameter values: Of each field with that name; none says nothing.
  init(_ values: [String]) {
    let qualities = Self.qualities(of: values)
    hasGzip = (qualities["gzip"] ?? qualities["x-gzip"] ?? qualities["*"] ?? 0) > 0
  }

  /// The items of a list with weights, in lower case: `gzip;q=0.5, br` is 0.5 and 1. What cannot be
  /// read has none.
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
