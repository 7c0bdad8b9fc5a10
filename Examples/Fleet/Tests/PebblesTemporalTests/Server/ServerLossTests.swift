import Foundation
import Pebbles
import PebblesAnalysis
import Synchronization
import Testing

@testable import PebblesTemporal

/// Tests for servers that are killed while runs are under way.
@Suite(.needsTemporal, .timeLimit(.minutes(10))) struct ServerLossTests {
  /// Defines a pond of twenty pebbles. Two of them fail, and one of these succeeds when retried.
  private func pond(_ called: @escaping @Sendable (Int) -> Void) -> Pond {
    let pond = Pond("long")
    var last: Pebble<Int>?
    for number in 0..<20 {
      last = pond.pebble("\(number)", .retry(.attempts(2)), when: last?.completed ?? .always) {
        called(number)
        let attempt = PebbleContext.current?.attempt ?? 1
        if number == 9 || number == 4 && attempt == 1 { throw Failing() }
        return number
      }
    }
    return pond
  }

  @Test func runsSurviveTheDeathOfTheirServer() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "temporal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = TemporalServer(database: folder.appending(path: "temporal.db"))
    // Once each: a body whose end could not be told is called again.
    let deaths = Mutex<Set<Int>>([5, 12])
    let (moments, moment) = AsyncStream.makeStream(of: Void.self)
    let pond = pond { number in
      if deaths.withLock({ $0.remove(number) }) != nil { moment.yield() }
    }

    let runs = try await withWorkers([pond], on: server) { temporal, options in
      var options = options
      options.heartbeat = .seconds(2)
      let killer = Task {
        var count = 0
        for await _ in moments {
          await server.kill()
          _ = try await server.address()
          count += 1
          if count == 2 { return }
        }
      }
      let runs = try await withThrowingTaskGroup(of: RecordedRun.self) { [options] group in
        for _ in 0..<5 {
          group.addTask { try await pond.run(on: temporal, id: UUID().uuidString, options) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try await killer.value
      return runs
    }
    await server.kill()

    let expected = try await pond.run().recorded()
    #expect(runs.count == 5)
    for run in runs {
      #expect(run.pebbles.map(\.outcome.word) == expected.pebbles.map(\.outcome.word))
    }
  }
}
