import Foundation
import Testing

@testable import PebblesTemporal

/// A TLS proxy in front of a server, which accepts only clients that have a certificate and a key.
/// It uses HAProxy, as is common in production.
final class EncryptedFront: Sendable {
  private static let proxy = TemporalServer.path(of: "haproxy")
  private static let openssl = TemporalServer.path(of: "openssl")

  static let isThere = proxy != nil && openssl != nil

  let address: TemporalAddress

  /// The path of the file with the certificate authority that both sides trust.
  var authority: String { folder.appending(path: "authority.pem").path }

  /// The identity of a client that the front accepts.
  var client: TemporalTLS.Identity {
    TemporalTLS.Identity(
      certificateChain: folder.appending(path: "client.pem").path,
      privateKey: folder.appending(path: "client.key").path)
  }

  private let folder: URL
  private let process: ChildProcess

  /// Starts a front.
  ///
  /// - Parameters:
  ///   - server: The server to which the front forwards requests.
  ///   - key: The key that clients must have.
  /// - Throws: An error if the front cannot be started.
  init(before server: TemporalServer, key: String) async throws {
    let (proxy, openssl) = (try #require(Self.proxy), try #require(Self.openssl))
    folder = FileManager.default.temporaryDirectory.appending(path: "front-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await Self.makeCertificates(with: openssl, in: folder)
    let port = try TemporalServer.freePort()
    address = TemporalAddress(host: "localhost", port: port)
    let configuration = """
      defaults
        mode http
        timeout connect 10s
        timeout client 10m
        timeout server 10m
      frontend encrypted
        bind 127.0.0.1:\(port) ssl crt server.both ca-file authority.pem verify required alpn h2
        http-request deny deny_status 401 unless { req.hdr(authorization) -m str "Bearer \(key)" }
        default_backend temporal
      backend temporal
        server temporal \(try await server.address()) proto h2

      """
    try configuration.write(
      to: folder.appending(path: "front.cfg"), atomically: true, encoding: .utf8)
    process = try ChildProcess(proxy, ["-db", "-C", folder.path, "-f", "front.cfg"])
  }

  func end() async {
    await process.kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Creates a certificate authority, and the certificates that it signs for the server and for a
  /// client.
  private static func makeCertificates(with openssl: String, in folder: URL) async throws {
    let script = """
      set -eu
      sign() {
        "$0" req -newkey rsa:2048 -nodes -keyout $1.key -subj /CN=$1 -out $1.csr
        printf '%s\\n' "$2" > $1.ext
        "$0" x509 -req -in $1.csr -CA authority.pem -CAkey authority.key -CAcreateserial \\
          -days 2 -extfile $1.ext -out $1.pem
      }
      "$0" req -x509 -newkey rsa:2048 -nodes -keyout authority.key -subj /CN=authority \\
        -days 2 -out authority.pem
      sign server 'subjectAltName = DNS:localhost'
      sign client 'extendedKeyUsage = clientAuth'
      cat server.pem server.key > server.both
      """
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", script, openssl]
    shell.currentDirectoryURL = folder
    shell.standardInput = FileHandle.nullDevice
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    shell.terminationHandler = { _ in ended.finish() }
    try shell.runAlone()
    for await _ in ends {}
    try #require(shell.terminationStatus == 0)
  }
}

extension Trait where Self == ConditionTrait {
  /// A trait that skips tests if HAProxy or OpenSSL is not installed.
  static var needsEncryption: ConditionTrait {
    .enabled(
      if: EncryptedFront.isThere,
      "there is no haproxy, or no openssl: apt-get install haproxy openssl")
  }
}
