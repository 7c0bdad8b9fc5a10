import Foundation
import Pebbles
import PebblesAnalysis
import Synchronization
import Testing

@testable import PebblesTemporal

/// A codec that makes payloads unreadable for the server, and records the payloads that it encodes.
private final class Veil: PayloadCodec {
  private let encoded = Mutex<[[UInt8]]>([])

  func encode(_ payload: EncodedPayload) -> EncodedPayload {
    let hidden = payload.data.map { $0 ^ 0x5A }
    encoded.withLock { $0.append(payload.data) }
    return EncodedPayload(metadata: ["encoding": Array("binary/veiled".utf8)], data: hidden)
  }

  func decode(_ payload: EncodedPayload) throws -> EncodedPayload {
    guard payload.metadata["encoding"] == Array("binary/veiled".utf8) else { throw Failing() }
    return EncodedPayload(
      metadata: ["encoding": Array("json/plain".utf8)], data: payload.data.map { $0 ^ 0x5A })
  }

  /// Returns the number of encoded payloads that contained the given string.
  func count(of words: String) -> Int {
    encoded.withLock { $0.count { String(decoding: $0, as: UTF8.self).contains(words) } }
  }
}

@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct CodecTests {
  @Test func theServerSeesNothingAndOutputsAreHandedOnUnopened() async throws {
    let pond = Pond("veiled")
    let secret = pond.pebble("secret") { "the code is 4711" }
    let read = pond.pebble("read", needs: secret) { $0.count }
    pond.pebble("again", needs: secret, read) { secret, count in secret.count == count }
    let veil = Veil()

    let run = try await run(pond, through: veil)

    #expect(run.pebbles.allSatisfy { $0.outcome == .succeeded })
    // Once, where it was returned, and not on its way to two bodies.
    #expect(veil.count(of: "the code is") == 1)
  }

  @Test func whatARunIsGivenIsHandedOnUnopenedToo() async throws {
    let pond = Pond("veiled")
    let secret = pond.given("secret", String.self)
    let read = pond.pebble("read", needs: secret) { $0.count }
    pond.pebble("again", needs: secret, read) { secret, count in secret.count == count }
    let veil = Veil()
    let given = [secret.value("the code is 4711")]

    let run = try await run(pond, given: given, through: veil)

    #expect(run.pebbles.allSatisfy { $0.outcome == .succeeded })
    #expect(veil.count(of: "the code is") == 1)
  }

  private func run(
    _ pond: Pond, given: [GivenValue] = [], through veil: Veil
  ) async throws -> RecordedRun {
    var options = Temporal.Options()
    options.codec = veil
    var runOptions = TemporalRunOptions()
    runOptions.taskQueue = UUID().uuidString
    let address = try await TemporalServer.shared.address()
    return try await Temporal.connected(to: address, options) { [runOptions] temporal in
      let worker = try TemporalWorker(temporal, ponds: [pond], taskQueue: runOptions.taskQueue)
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await worker.run() }
        defer { group.cancelAll() }
        return try await pond.run(
          on: temporal, id: UUID().uuidString, given: given, runOptions)
      }
    }
  }
}
