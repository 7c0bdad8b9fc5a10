/// The host and port of a Temporal server's frontend.
public struct TemporalAddress: Sendable, Hashable, CustomStringConvertible {
  /// The name of the host, or its IPv4 address.
  public let host: String

  /// The port.
  public let port: Int

  /// The address of a server on this machine that was started with `temporal server start-dev`.
  public static let local = TemporalAddress(host: "127.0.0.1", port: 7233)

  /// Creates an address.
  ///
  /// - Parameters:
  ///   - host: The name of the host, or its IPv4 address.
  ///   - port: The port.
  public init(host: String, port: Int = 7233) {
    self.host = host
    self.port = port
  }

  /// Creates an address from a string such as `temporal.example.org:7233`; the port is optional.
  ///
  /// - Parameter text: The string.
  /// - Throws: ``TemporalError`` if the string is not an address.
  public init(_ text: String) throws(TemporalError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let port = parts.count == 2 ? Int(parts[1]) : 7233
    guard let host = parts.first, !host.isEmpty, parts.count <= 2, let port,
      (1...65_535).contains(port)
    else { throw TemporalError("\"\(text)\" is not an address; write it as host:port") }
    self.init(host: String(host), port: port)
  }

  /// The address as `host:port`.
  public var description: String { "\(host):\(port)" }

  /// Whether the host is an IPv4 address.
  var isIPv4: Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// An error in a server's answers, or in the way a server is used.
public struct TemporalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem, as a sentence.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
