/// A named set of pebbles: tasks with conditions, defined once and run as often as wanted.
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
/// ``start(given:only:clock:within:learningFrom:holding:eventHistory:detached:)`` takes a snapshot
/// of the definition and works on that. Pebbles may be added and conditions changed at any time,
/// from any thread; runs that start later see it.
public final class Pond: Sendable {
  package let definition: PondDefinition
  private let programs = ProgramCache()
  let refreshes = Refreshes()

  /// Makes an empty pond.
  ///
  /// - Parameters:
  ///   - name: What reports and pictures call it. Any text will do.
  ///   - maxConcurrent: How many pebbles of one run may run at a time, at least 1; no limit if
  ///     `nil`. Services count until they are ready.
  ///   - onFailure: What a failing pebble means for the rest of the run.
  ///   - around: Code around every attempt of every pebble, outermost first.
  public init(
    _ name: String, maxConcurrent: Int? = nil, onFailure: FailurePolicy = .ignore,
    around: Around...
  ) {
    let options = PondOptions(
      maxConcurrent: maxConcurrent, onFailure: onFailure, around: around)
    definition = PondDefinition(pondName: name, options)
  }

  // With a `smallestShared` of 1 even single atoms are compiled only once, for tests of that.
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

  /// The name given at the start.
  public var name: String { definition.pondName }

  /// What a run is for: what is to be true in the end. `nil` if nothing was said, as at first.
  ///
  /// ```swift
  /// pond.goal = .exactlyOne(of: home.completed, signUp.completed, offline.completed)
  /// ```
  ///
  /// It starts nothing and skips nothing. But a run that ends without it has not done what it was
  /// for, however well its failures were handled: then ``Report/isGoalReached`` is `false`,
  /// ``Report/exitCode`` 1, ``Report/check()`` throws, and the summary says why. It is not asked of
  /// a run that was asked to end, by a caller or a signal, before it could reach it.
  ///
  /// Clusters bring no goal: that of a pond that is added is left behind. Runs that start later see
  /// a change; runs under way do not.
  public var goal: Condition? {
    get { definition.goal }
    set { definition.setGoal(newValue) }
  }

  /// The pond as it is defined now, ready to run.
  package func program() -> Program { programs.program(of: definition) }
}

extension Pond: CustomStringConvertible {
  /// The definition as text: a line per pebble, with its condition, and one for the goal, if there
  /// is one.
  ///
  /// ```
  /// boot
  ///   loadLaunches
  ///   loadCores
  ///   refreshScreens when loadLaunches.completed && loadCores.completed
  /// ```
  ///
  /// Shows the first two hundred pebbles, and a hundred atoms of each condition. Long names and
  /// conditions are cut.
  public var description: String {
    let graph = PondGraph(definition.snapshot())
    var lines = [name.singleLine.truncated(to: Self.longestName)]
    lines += graph.names.indices.prefix(Self.mostLines).map { line(of: $0, in: graph) }
    let rest = graph.names.count - Self.mostLines
    if rest > 0 { lines.append("  … and \(rest) more") }
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
