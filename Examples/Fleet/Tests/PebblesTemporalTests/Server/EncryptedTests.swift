import Foundation
import Pebbles
import PebblesAnalysis
import Testing

@testable import PebblesTemporal

/// Tests with a real server behind HAProxy, which accepts only clients that have a certificate and
/// a key.
@Suite(.needsTemporal, .needsEncryption, .timeLimit(.minutes(10)), .serialized)
struct EncryptedTests {
  private static let key = "key-of-the-tests"

  /// Starts a proxy, and calls `body` with the proxy and with the options of an authorized client.
  private func withFront(
    _ body: (EncryptedFront, Temporal.Options) async throws -> Void
  ) async throws {
    let front = try await EncryptedFront(before: .shared, key: Self.key)
    var options = Temporal.Options()
    options.apiKey = Self.key
    options.tls = TemporalTLS(trustRoots: front.authority, identity: front.client)
    do {
      try await body(front, options)
    } catch {
      await front.end()
      throw error
    }
    await front.end()
  }

  /// Checks that a client receives an error with the given words when it requests the namespace.
  private func expect(
    _ words: String, _ front: EncryptedFront, _ options: Temporal.Options
  ) async {
    var told = "nothing"
    do {
      try await Temporal.connected(to: front.address, options) { try await $0.checkNamespace() }
    } catch {
      told = "\(error)"
    }
    #expect(told.contains(words), "\(told)")
  }

  @Test func aPondRunsBehindCertificatesAndAKey() async throws {
    let pond = Pond("encrypted")
    let one = pond.pebble("one") { 1 }
    pond.pebble("two", needs: one) { $0 + 1 }

    try await withFront { front, options in
      var runOptions = TemporalRunOptions()
      runOptions.taskQueue = UUID().uuidString
      let run = try await Temporal.connected(to: front.address, options) { [runOptions] temporal in
        let worker = try TemporalWorker(temporal, ponds: [pond], taskQueue: runOptions.taskQueue)
        return try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await worker.run() }
          defer { group.cancelAll() }
          return try await pond.run(on: temporal, id: UUID().uuidString, runOptions)
        }
      }
      #expect(run.isAllSucceeded)
    }
  }

  @Test func whoIsNotLetInIsToldWhatIsWrong() async throws {
    try await withFront { front, options in
      var wrong = options
      wrong.apiKey = "another-key"
      await expect("does not let this client in", front, wrong)

      wrong = options
      wrong.tls?.identity = nil
      await expect("certificates of both sides", front, wrong)

      // The certificate of the server is not of an authority that the system knows.
      wrong = options
      wrong.tls?.trustRoots = nil
      await expect("certificates of both sides", front, wrong)

      wrong = options
      wrong.tls?.serverName = "another.example"
      await expect("certificates of both sides", front, wrong)
    }
  }
}
