/// A definition made ready to run: what is known of it, and all that is or holds user code. Reports
/// keep only the former, so that what a body has captured is let go of when its runs are over and
/// its pond is gone.
package final class Program: Sendable {
  package let pond: PondLogic

  /// The bodies of the pebbles, and perhaps of some that were added later.
  let bodies: StableList<Body>

  /// The options of pebbles that have any.
  package let options: [UInt32: PebbleOptions]
  package let pondOptions: PondOptions

  /// What decides the cases of pebbles that have any.
  let questions: [UInt32: CaseQuestions]

  /// What the pebbles use of limited resources.
  package let limits: ResourceTable

  /// For each service that stops before something else is torn down, what that is.
  let stopsBefore: [Int: [Int]]

  /// Which services are called again with which others.
  let families: RestartFamilies

  /// What the resources and the groups of that are called.
  let limitNames: LimitNames

  init(_ snapshot: DefinitionSnapshot) {
    let graph = PondGraph(snapshot)
    let options = snapshot.options
    let pondOptions = snapshot.definition.options
    let limited = options.mapValues(\.traits.uses).filter { !$0.value.isEmpty }
    let groups = Self.groups(graph.clusters)
    var faults: [PondError.Fault] = []
    if limited.isEmpty, groups.isEmpty, pondOptions.maxConcurrent == nil {
      limits = ResourceTable()
      limitNames = LimitNames()
    } else {
      var compiler = ResourceCompiler(
        names: Array(graph.names), uses: limited, maxConcurrent: pondOptions.maxConcurrent,
        groups: groups)
      limits = compiler.compile()
      limitNames = LimitNames(
        resources: compiler.keys, groups: Self.limited(graph.clusters).map(\.name))
      faults = compiler.faults.map { fault in
        guard let pebble = fault.pebble else { return .invalidPond(problem: fault.clause) }
        return .invalidOption(pebble: graph.names[pebble], problem: fault.clause)
      }
    }
    for (pebble, options) in options.sorted(by: { $0.key < $1.key }) {
      let name = graph.names[Int(pebble)]
      faults += options.faults.map { .invalidOption(pebble: name, problem: $0) }
    }
    faults += Self.givenFaults(graph, options)
    questions = snapshot.cases
    faults += questions.sorted { $0.key < $1.key }.flatMap { pebble, questions in
      questions.problems.map { .invalidOption(pebble: graph.names[Int(pebble)], problem: $0) }
    }
    let stopsBefore = StopsBefore(graph, options)
    faults += stopsBefore.faults
    self.stopsBefore = stopsBefore.later
    var families = RestartFamilies(graph, options)
    if stopsBefore.faults.isEmpty { families.findOrder(stopsBefore.later, graph) }
    faults += families.faults
    self.families = families
    pond = PondLogic(
      graph, PondProperties(options, limits, pondOptions),
      optionFaults: graph.clusterFaults + faults)
    bodies = snapshot.bodies
    self.options = options
    self.pondOptions = pondOptions
  }

  /// The program of a definition that is compiled only once, such as one read from a file.
  package convenience init(_ definition: PondDefinition) {
    self.init(definition.snapshot())
  }

  /// The logic of another program, with bodies, options and answers of its own.
  init(
    _ original: Program, bodies: StableList<Body>, options: [UInt32: PebbleOptions],
    questions: [UInt32: CaseQuestions], _ pondOptions: PondOptions
  ) {
    pond = original.pond
    self.questions = questions
    limits = original.limits
    stopsBefore = original.stopsBefore
    families = original.families
    limitNames = original.limitNames
    self.bodies = bodies
    self.options = options
    self.pondOptions = pondOptions
  }

  /// The clusters with a limit of their own. One that cannot be meant is a fault of the graph.
  private static func groups(_ clusters: [PondCluster]) -> [ResourceTable.Group] {
    limited(clusters).map { cluster in
      ResourceTable.Group(pebbles: cluster.pebbles, maxConcurrent: cluster.maxConcurrent ?? .max)
    }
  }

  private static func limited(_ clusters: [PondCluster]) -> [PondCluster] {
    clusters.filter { ($0.maxConcurrent ?? 0) >= 1 }
  }

  /// Whether each pebble is known to have an output. Of a body that takes inputs it is not known.
  ///
  /// - Complexity: O(pebbles).
  package var knownOutputs: [Bool] {
    pond.graph.names.indices.map { pebble in
      switch bodies.address(of: pebble).pointee {
      case .plain: false
      case .callback: false
      case .wired: !pond.graph.hasInputs(pebble)
      case .placed: !pond.graph.hasInputs(pebble)
      }
    }
  }

  /// Whether a run has something to undo when it is shut down.
  package var hasTeardowns: Bool { options.values.contains { $0.hasTeardown } }

  /// The pebbles whose bodies block a thread, and the priority of each.
  var blockingPebbles: [UInt32: Int] {
    options.filter(\.value.traits.isBlocking).mapValues(\.traits.priority)
  }

  /// Asks the cases of a pebble that is about to settle. Calls user code.
  ///
  /// - Returns: Those that hold.
  @inline(never)
  func cases(
    of pebble: Int, succeeded: Bool, _ values: RunValues, in run: RunIdentifier
  ) -> CaseSet {
    guard let questions = questions[UInt32(pebble)] else { return CaseSet() }
    return succeeded
      ? questions.answers(output: values.payload(of: pebble))
      : answers(questions, error: values.failure(at: pebble), in: run)
  }

  /// The same for a body that has returned elsewhere.
  package func cases(of pebble: Int, output: AnyOutput?) -> [PebbleCase] {
    guard let questions = questions[UInt32(pebble)] else { return [] }
    return questions.list[questions.answers(output: output)]
  }

  /// The same for a body that has failed elsewhere.
  func cases(of pebble: Int, error: any Error, in run: RunIdentifier) -> [PebbleCase] {
    guard let questions = questions[UInt32(pebble)] else { return [] }
    return questions.list[answers(questions, error: error, in: run)]
  }

  private func answers(
    _ questions: CaseQuestions, error: any Error, in run: RunIdentifier
  ) -> CaseSet {
    let timeout = error as? PebbleTimeout
    return questions.answers(error: error, isTimeout: timeout?.run == run)
  }

  /// Calls the body of a pebble, once and as it is; and `undoing`, once, if a callback succeeds
  /// after it was given up.
  ///
  /// - Returns: Its output, or `nil` for none.
  @inline(__always)
  nonisolated(nonsending) func callBody(
    of pebble: Int, _ values: RunValues, undoing: (@Sendable () -> Void)? = nil
  ) async throws -> AnyOutput? {
    switch bodies.address(of: pebble).pointee {
    case .plain(let body):
      try await body.call()
      return nil
    case .wired(let body):
      return try await body.call(BodyInputs(values: values, placement: nil))
    case .placed(let body):
      return try await body.call(values)
    case .callback(let callback):
      let completion = values.makeCompletion(at: pebble, undoing: undoing)
      try await completion.outcome(of: callback.body)
      return nil
    }
  }
}

/// What limits are called, by the numbers that they have in a `ResourceTable`.
struct LimitNames: Sendable {
  var resources: [ResourceKey] = []
  var groups: [String] = []
}
