import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A client of the WebDriver protocol, which exchanges JSON over HTTP. It uses a socket directly,
/// because the HTTP client of the platform rejects the response headers of `chromedriver`.
struct WebDriver {
  let port: UInt16

  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  @discardableResult
  func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Any {
    let payload = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let head = """
      \(method) \(path) HTTP/1.1\r
      Host: 127.0.0.1\r
      Content-Type: application/json\r
      Content-Length: \(payload.count)\r
      Connection: close\r
      \r

      """
    let answer = try exchange(Data(head.utf8) + payload)
    let object = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
    let value = object?["value"] ?? NSNull()
    if let error = value as? [String: Any], error["error"] is String {
      let message = error["message"] as? String ?? "without a message"
      throw Refusal(description: "\(method) \(path): \(message.prefix(300))")
    }
    return value
  }

  /// Sends a request, and returns the body of the response.
  private func exchange(_ request: Data) throws -> Data {
    let descriptor = try connected()
    defer { close(descriptor) }
    try send(request, to: descriptor)
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw Refusal(description: "the driver closed the connection") }
      answer += buffer[..<count]
      guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound else { continue }
      guard let length = Self.contentLength(in: answer[..<end]) else { continue }
      if answer.count - end >= length { return answer[end...].prefix(length) }
    }
  }

  private static func contentLength(in head: Data) -> Int? {
    let line = String(decoding: head, as: UTF8.self).lowercased().components(separatedBy: "\r\n")
      .first { $0.hasPrefix("content-length:") }
    return line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
  }

  private func connected() throws -> Int32 {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw Refusal(description: "no driver listens on port \(port)")
    }
    return descriptor
  }

  private func send(_ request: Data, to descriptor: Int32) throws {
    var rest = request[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Refusal(description: "the driver does not listen any more") }
      rest = rest.dropFirst(count)
    }
  }
}
