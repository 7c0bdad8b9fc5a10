import Pebbles
import Synchronization
import Workloads

/// The bodies of a resumption round. The actions of a body are drawn at random when it is called.
final class ResumptionBodies: Sendable {
  typealias Opened = ResumptionLedger.Opened

  /// The error thrown by a body that fails at random.
  struct Refusal: Error {}

  /// Whether runs wait for all services and bodies to end. If so, a service's or a body's inputs
  /// stay open until it has ended.
  let isPatient: Bool

  let clock: LeapingClock
  let ledger = ResumptionLedger()
  private let draw: Mutex<SeededGenerator>

  init(_ generator: inout SeededGenerator, isPatient: Bool) {
    self.isPatient = isPatient
    clock = LeapingClock(generator.split(), mostTurns: generator.number(in: 0...12))
    draw = Mutex(generator.split())
  }

  // MARK: Chance

  func chance(_ percent: Int) -> Bool { draw.withLock { $0.chance(percent: percent) } }

  func number(in range: ClosedRange<Int>) -> Int { draw.withLock { $0.number(in: range) } }

  func shuffled<Element: Sendable>(_ elements: [Element]) -> [Element] {
    draw.withLock { elements.shuffled(using: &$0) }
  }

  func pause() async {
    if chance(40) { await Task.yield() }
    if chance(40) { try? await clock.sleep(for: .milliseconds(number(in: 0...20))) }
  }

  // MARK: Bodies

  /// Opens a resource, or fails at random.
  ///
  /// - Parameters:
  ///   - position: The position of the pebble that the body belongs to.
  ///   - inputs: The inputs of the body.
  ///   - lasting: The pebbles whose outputs stay open for as long as they are used.
  /// - Returns: The resource.
  /// - Throws: ``Refusal`` if the body fails at random.
  func open(
    _ position: Int, using inputs: [Opened?], of lasting: Set<Int>
  ) async throws -> Opened {
    let used = inputs.compactMap(\.self).filter { lasting.contains($0.pebble) }
    return try await open(position, handed: used, keeping: used)
  }

  /// Opens a resource in a body that may outlive its attempt, and therefore uses no inputs.
  func openLate(
    _ position: Int, using inputs: [Opened?], of lasting: Set<Int>, stuckPercent: Int
  ) async throws -> Opened {
    let used = inputs.compactMap(\.self).filter { lasting.contains($0.pebble) }
    guard chance(stuckPercent) else { return try await open(position, handed: used, keeping: []) }
    ledger.called(position, with: used)
    defer { ledger.ended(position) }
    // In a separate task, which is not cancelled.
    await Task { try? await clock.sleep(for: .milliseconds(number(in: 20...200))) }.value
    if chance(50) { throw Refusal() }
    return ledger.open(position, with: [])
  }

  private func open(
    _ position: Int, handed: [Opened], keeping kept: [Opened]
  ) async throws -> Opened {
    ledger.called(position, with: handed)
    defer { ledger.ended(position) }
    await pause()
    if chance(30) { throw Refusal() }
    return ledger.open(position, with: isPatient ? kept : [])
  }

  /// Opens a resource, reports that the service is ready, and serves until the service is asked to
  /// stop. At random, the service ends earlier.
  func serve(
    _ position: Int, using inputs: [Opened?], of lasting: Set<Int>, _ ready: ServiceReady<Opened>
  ) async throws {
    let opened = try await open(position, using: inputs, of: lasting)
    ledger.called(position, with: [])
    defer {
      ledger.close(opened)
      ledger.ended(position)
    }
    ready(opened)
    if chance(25) { return await pause() }
    await ready.stopRequested()
    if chance(20) { await pause() }
  }

  func close(_ opened: Opened) async {
    await pause()
    ledger.close(opened)
  }
}
