/// A named set of pebbles: tasks with conditions, defined once and run any number of times.
///
/// ```swift
/// let pond = Pond("boot")
/// let launches = pond.pebble("loadLaunches") { try await api.launches() }
/// let cores = pond.pebble("loadCores") { try await api.cores() }
/// pond.pebble("refreshScreens", needs: launches.result, cores.result) { launches, cores in
///   await screens.show(launches, cores)
/// }
/// let report = try await pond.run()
/// ```
///
/// A pond holds no state of its runs: every
/// ``run(given:only:clock:within:learningFrom:holding:detached:)`` and
/// ``start(given:only:clock:within:learningFrom:holding:eventHistory:detached:)`` works on its own
/// snapshot of the definition. You can add pebbles and change conditions at any time, from any
/// thread; runs that start later see the changes.
public final class Pond: Sendable {
  package let definition: PondDefinition
  private let programs = ProgramCache()
  let refreshes = Refreshes()

  /// Creates an empty pond.
  ///
  /// - Parameters:
  ///   - name: The name of the pond in reports and pictures. Any string is valid.
  ///   - maxConcurrent: The maximum number of pebbles that run at the same time in one run, at
  ///     least 1; `nil` for no limit. A service counts until it is ready.
  ///   - onFailure: The effect of a failing pebble on the rest of the run.
  ///   - around: Code that wraps every attempt of every pebble, outermost first.
  public init(
    _ name: String, maxConcurrent: Int? = nil, onFailure: FailurePolicy = .ignore,
    around: Around...
  ) {
    let options = PondOptions(
      maxConcurrent: maxConcurrent, onFailure: onFailure, around: around)
    definition = PondDefinition(pondName: name, options)
  }

  // For tests: with a `smallestShared` of 1, even single atoms are compiled only once.
  package init(_ name: String, smallestShared: Int32, onFailure: FailurePolicy = .ignore) {
    definition = PondDefinition(
      pondName: name, PondOptions(onFailure: onFailure),
      ConditionTable(smallestShared: smallestShared))
  }

  init(_ definition: PondDefinition) {
    self.definition = definition
  }

  deinit {
    definition.discard()
  }

  /// The name of the pond.
  public var name: String { definition.pondName }

  /// The condition that every run is meant to make true; `nil` if the pond has no goal.
  ///
  /// The initial value is `nil`.
  ///
  /// ```swift
  /// pond.goal = .exactlyOne(of: home.completed, signUp.completed, offline.completed)
  /// ```
  ///
  /// A goal neither starts nor skips pebbles. However, a run that ends without reaching its goal is
  /// not a success, even if all its failures were handled: ``Report/isGoalReached`` is `false`,
  /// ``Report/exitCode`` is 1, ``Report/check()`` throws, and the summary gives the reason. The
  /// goal does not count if the run leaves out a pebble that the goal mentions, or if a caller, a
  /// signal or the end of the background time ended the run before the goal was reached.
  ///
  /// If the pond is added to another pond, its goal is not copied. A change to the goal affects
  /// only runs that start later.
  public var goal: Condition? {
    get { definition.goal }
    set { definition.setGoal(newValue) }
  }

  /// Returns the compiled program of the pond as it is currently defined.
  package func program() -> Program { programs.program(of: definition) }
}

extension Pond: CustomStringConvertible {
  /// A description of the definition, with a line for each pebble and its condition, and a line for
  /// the goal, if any.
  ///
  /// ```
  /// boot
  ///   loadLaunches
  ///   loadCores
  ///   refreshScreens when loadLaunches.completed && loadCores.completed
  /// ```
  ///
  /// The description shows at most the first two hundred pebbles, and at most a hundred atoms of
  /// each condition. Long names and conditions are truncated.
  public var description: String {
    let graph = PondGraph(definition.snapshot())
    var lines = [name.singleLine.truncated(to: Self.longestName)]
    lines += graph.names.indices.lines(atMost: Self.mostLines) { line(of: $0, in: graph) }
    if let goal = graph.goal { lines.append("  goal: \(Self.text(of: goal))") }
    return lines.joined(separator: "\n")
  }

  private func line(of pebble: Int, in graph: PondGraph) -> String {
    let name = graph.names[pebble].shortName
    let condition = graph.condition(of: pebble)
    if case .constant(true) = condition.expression { return "  \(name)" }
    return "  \(name) when \(Self.text(of: condition))"
  }

  private static func text(of condition: Condition) -> String {
    condition.text(mostLeaves: mostLeaves, mostBytes: longestCondition)
      .truncated(to: longestCondition)
  }

  private static let mostLines = 200
  private static let mostLeaves = 100
  private static let longestName = 60
  private static let longestCondition = 10_000
}

extension Pond {
  /// The version of this package, as printed by `pond --version`.
  ///
  /// Versions follow [Semantic Versioning](https://semver.org). Between two releases, this is the
  /// version of the next release, followed by `-dev`.
  public static let packageVersion = "0.1.0"
}
