import Testing

@testable import PebblesTemporal

/// Tests for the options of a connection. `EncryptedTests` uses them with an encrypted server.
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
    options.tls = TemporalTLS()
    options.apiKey = "secret"

    let metadata = options.metadata

    #expect(Array(metadata[stringValues: "authorization"]) == ["Bearer secret"])
    #expect(Array(metadata[stringValues: "temporal-namespace"]) == ["load.a1b2c"])
  }

  @Test(arguments: ["key\n", "two words", "clé"])
  func whatCannotBeSentIsRefused(key: String) async throws {
    var options = Temporal.Options()
    options.tls = TemporalTLS()
    options.apiKey = key

    await #expect(throws: TemporalError.self) {
      try await Temporal.connected(to: .local, options) { _ in }
    }
  }

  @Test func aFileThatIsMissingIsNamed() async throws {
    var options = Temporal.Options()
    options.tls = TemporalTLS(trustRoots: "/nowhere/roots.pem")

    let error = await #expect(throws: TemporalError.self) {
      try await Temporal.connected(to: .local, options) { _ in }
    }
    #expect(error?.description.contains("\"/nowhere/roots.pem\"") == true)
  }
}
