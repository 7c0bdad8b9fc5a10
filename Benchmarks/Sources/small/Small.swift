import Pebbles

/// A program that compares the time of running one to a thousand pebbles with the time of awaiting
/// the same number of closures one after another. As in a service, the pond is defined only once
/// and is run repeatedly. The numbers of pebbles can be given as arguments.
@main
enum Small {
  private static let usualSizes = [1, 2, 10, 32, 33, 100, 1_000]
  private static let rounds = 400

  static func main() async throws {
    // Off the main executor, because each switch to or from it wakes a thread.
    try await Task.detached { try await measure() }.value
  }

  private static func measure() async throws {
    let given = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    let sizes = given.isEmpty ? usualSizes : given
    print("median of \(rounds) runs each, interleaved; the floor awaits the same closures")
    print("chain of      run()      floor")
    let contestants = sizes.map(Contestant.init)
    var runs = [[Duration]](repeating: [], count: sizes.count)
    var floors = runs
    for _ in 0..<rounds {
      for (place, contestant) in contestants.enumerated() {
        // The second of two runs is measured, as in a service that runs the pond all the time.
        _ = try await contestant.run()
        runs[place].append(try await contestant.run())
        floors[place].append(await contestant.callAll())
      }
    }
    for (place, size) in sizes.enumerated() {
      let columns = [microseconds(median(runs[place])), microseconds(median(floors[place]))]
      print(padded("\(size)", to: 8), columns.map { padded($0, to: 10) }.joined())
    }
  }

  private static func median(_ durations: [Duration]) -> Duration {
    durations.sorted()[durations.count / 2]
  }

  private static func microseconds(_ duration: Duration) -> String {
    let tenths = duration.components.attoseconds / 100_000_000_000
    return "\(tenths / 10).\(tenths % 10) µs"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// A chain of pebbles, and the same bodies without a pond.
private struct Contestant: Sendable {
  private let pond = Pond("chain")
  private let bodies: [@Sendable () async -> Void]

  init(_ size: Int) {
    bodies = (0..<size).map { _ in { await Self.body() } }
    var previous: Pebble<Void>?
    for (place, body) in bodies.enumerated() {
      previous = pond.pebble("p\(place)", when: previous?.succeeded ?? .always) { await body() }
    }
  }

  private static func body() async {}

  func run() async throws -> Duration {
    let begun = ContinuousClock.now
    let report = try await pond.run()
    let time = ContinuousClock.now - begun
    precondition(report.isAllSucceeded)
    return time
  }

  func callAll() async -> Duration {
    let begun = ContinuousClock.now
    for body in bodies { await body() }
    return ContinuousClock.now - begun
  }
}
