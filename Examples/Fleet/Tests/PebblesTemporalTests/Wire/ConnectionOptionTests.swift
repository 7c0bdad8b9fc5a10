import Testing

@testable import PebblesTemporal

/// How a server is reached. The one for development has neither TLS nor keys.
@Suite struct ConnectionOptionTests {
  @Test func aKeyIsNotSentInTheOpen() async throws {
    var options = Temporal.Options()
    options.apiKey = "secret"

    await #expect(throws: TemporalError.self) {
      try await Temporal.connected(to: .local, options) { _ in }
    }
    do {
      try await Temporal.connected(to: .local, options) { _ in }
    } catch {
      #expect(!"\(error)".contains("secret"))
    }
  }

  @Test func aKeyIsSentToTheServerThatIsEncrypted() async throws {
    var options = Temporal.Options()
    options.namespace = "load.a1b2c"
    #expect(Array(options.metadata["authorization"]).isEmpty)
    #expect(Array(options.metadata["temporal-namespace"]).isEmpty)
    options.usesTLS = true
    options.apiKey = "secret"

    let metadata = options.metadata

    #expect(Array(metadata[stringValues: "authorization"]) == ["Bearer secret"])
    #expect(Array(metadata[stringValues: "temporal-namespace"]) == ["load.a1b2c"])
  }
}
