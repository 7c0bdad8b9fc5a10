import Pebbles
import PebblesAnalysis

/// The behaviour of the closures that stand in for bodies in a simulation.
struct StandIns {
  struct Behavior {
    var failures = 0
    var duration = Duration.zero
  }

  private(set) var behaviors: [Int: Behavior] = [:]
  private(set) var disabled: Set<Int> = []
  private(set) var cases: [Int: CaseSet] = [:]
  private(set) var problems: [String] = []
  private var positions: PebblePositions
  private let given: Set<Int>

  init(_ pond: PondLogic) {
    positions = PebblePositions(pond.graph)
    given = Set(pond.givenPebbles)
  }

  /// Records a problem if a pebble is not in the pond.
  mutating func find(_ pebble: any PebbleIdentifying) { _ = position(of: pebble) }

  mutating func fail(_ pebble: any PebbleIdentifying, attempts: Int) {
    guard let position = position(of: pebble) else { return }
    if attempts < 0 {
      problems.append(
        "\(pebble.pebbleID.description.swiftLiteral) fails \(attempts) times; "
          + "it must be 0 or more")
    }
    if attempts > 0 { expectBody(of: pebble, at: position) }
    behaviors[position, default: Behavior()].failures = max(
      attempts, behaviors[position]?.failures ?? 0)
  }

  mutating func delay(_ pebble: any PebbleIdentifying, by duration: Duration) {
    guard let position = position(of: pebble) else { return }
    if duration < .zero {
      problems.append(
        "\(pebble.pebbleID.description.swiftLiteral) takes \(duration); "
          + "it must be zero or longer")
    }
    if duration > .zero { expectBody(of: pebble, at: position) }
    behaviors[position, default: Behavior()].duration = duration
  }

  mutating func disable(_ pebble: any PebbleIdentifying) {
    if let position = position(of: pebble) { disabled.insert(position) }
  }

  /// Adds the failures and the disabled pebbles of a plan, and replaces the cases with those of the
  /// plan.
  mutating func assume(_ plan: SimulationPlan) {
    for pebble in plan.failures.keys { behaviors[pebble, default: Behavior()].failures = .max }
    disabled.formUnion(plan.disabled)
    cases = plan.cases
  }

  private mutating func expectBody(of pebble: any PebbleIdentifying, at position: Int) {
    guard given.contains(position) else { return }
    problems.append(
      "\(pebble.pebbleID.description.swiftLiteral) is given to each run; "
        + "it has no body that could fail or take time")
  }

  private mutating func position(of pebble: any PebbleIdentifying) -> Int? {
    do throws(UnknownPebbleError) {
      return try positions.position(of: pebble)
    } catch {
      problems.append(error.description)
      return nil
    }
  }
}
