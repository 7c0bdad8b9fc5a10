import GRPCCore
import NIOSSL
import Testing

@testable import PebblesTemporal

@Suite struct CallBackoffTests {
  /// Checks that a failed TLS handshake is transient if the server closed the connection, and
  /// permanent otherwise.
  @Test func aConnectionThatEndsBeforeItIsEncryptedIsMadeAgain() {
    let closed = NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))
    let unknown = NIOSSLError.handshakeFailed(.sslError([]))

    #expect(RPCError(code: .unavailable, message: "", cause: closed).isTransient)
    #expect(!RPCError(code: .unavailable, message: "", cause: unknown).isTransient)
  }

  @Test func aServerThatIsAwayIsAskedAgainLessAndLessOften() throws {
    var backoff = CallBackoff()
    var ceiling = Duration.milliseconds(50)

    for _ in 0..<100 {
      let wait = backoff.delay(after: RPCError(code: .unavailable, message: "refused"))
      let delay = try #require(wait)
      #expect(delay >= ceiling / 2 && delay <= ceiling)
      ceiling = min(ceiling * 2, .seconds(5))
    }
  }

  @Test(arguments: [
    RPCError.Code.notFound, .invalidArgument, .permissionDenied, .unauthenticated,
    .alreadyExists, .failedPrecondition, .unimplemented, .cancelled,
  ])
  func whatWouldFailAgainIsNotAskedAgain(_ code: RPCError.Code) {
    var backoff = CallBackoff()

    #expect(backoff.delay(after: RPCError(code: code, message: "")) == nil)
  }

  @Test(arguments: ["", ":7233", "host:", "host:0", "host:65536", "host:-1", "a:b:c", "host:x"])
  func whatIsNoAddressIsRefused(_ text: String) {
    #expect(throws: TemporalError.self) { try TemporalAddress(text) }
  }

  @Test func addressesAreRead() throws {
    #expect(
      try TemporalAddress("temporal.example.org") == TemporalAddress(host: "temporal.example.org"))
    #expect(try TemporalAddress("10.0.0.1:80").isIPv4)
    #expect(try !TemporalAddress("10.0.0.256:80").isIPv4)
    #expect(try TemporalAddress("a:1").description == "a:1")
  }

  @Test func aKeyIsNotSentInTheClear() async {
    var options = Temporal.Options()
    options.apiKey = "secret"

    await #expect(throws: TemporalError.self) {
      try await Temporal.connected(to: .local, options) { _ in }
    }
  }
}
