/// A definition that is ready to run: its logic, its user code, and everything that refers to user
/// code. Reports keep only the logic, so the values that bodies capture are released once the runs
/// have ended and the pond has been released.
package final class Program: Sendable {
  package let pond: PondLogic

  /// The bodies of the pebbles. The list may also contain bodies of pebbles that were added later.
  let bodies: StableList<Body>

  /// The options of the pebbles, keyed by position. Pebbles without options are omitted.
  package let options: [UInt32: PebbleOptions]
  package let pondOptions: PondOptions

  /// The cases of the pebbles, with the closures that decide them, keyed by the position of the
  /// pebble. Pebbles without cases are omitted.
  let questions: [UInt32: CaseQuestions]

  /// The services with `stopsBefore`, each with the pebbles that are torn down after the service.
  let stopsBefore: [Int: [Int]]

  /// The services that are restarted together.
  let families: RestartFamilies

  /// The names of the resources and groups in the limits of the pond.
  let limitNames: LimitNames

  init(_ snapshot: DefinitionSnapshot) {
    let graph = PondGraph(snapshot)
    let options = snapshot.options
    let pondOptions = snapshot.pondOptions
    let limited = options.mapValues(\.traits.uses).filter { !$0.value.isEmpty }
    let groups = Self.groups(graph.clusters)
    var faults: [PondError.Fault] = []
    let limits: ResourceTable
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
      faults = compiler.faults
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

  /// Creates the program of a definition that is compiled only once, such as a definition read from
  /// a file.
  package convenience init(_ definition: PondDefinition) {
    self.init(definition.snapshot())
  }

  /// Creates a program with the logic of another program, but different bodies, options and
  /// questions.
  init(
    _ original: Program, bodies: StableList<Body>, options: [UInt32: PebbleOptions],
    questions: [UInt32: CaseQuestions], _ pondOptions: PondOptions
  ) {
    pond = original.pond
    self.questions = questions
    stopsBefore = original.stopsBefore
    families = original.families
    limitNames = original.limitNames
    self.bodies = bodies
    self.options = options
    self.pondOptions = pondOptions
  }

  /// Returns a group for each cluster that has a valid limit. The graph reports invalid limits as
  /// faults.
  private static func groups(_ clusters: [PondCluster]) -> [ResourceTable.Group] {
    limited(clusters).map { cluster in
      ResourceTable.Group(pebbles: cluster.pebbles, maxConcurrent: cluster.maxConcurrent ?? .max)
    }
  }

  private static func limited(_ clusters: [PondCluster]) -> [PondCluster] {
    clusters.filter { ($0.maxConcurrent ?? 0) >= 1 }
  }

  /// Flags that indicate whether each pebble is known to have an output. The flag is `false` for a
  /// pebble that takes inputs, because such a pebble may or may not return an output.
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

  /// Whether any pebble is a service or has a teardown.
  package var hasTeardowns: Bool { options.values.contains { $0.hasTeardown } }

  /// The priorities of the pebbles with blocking bodies, keyed by the position of the pebble.
  var blockingPebbles: [UInt32: Int] {
    options.filter(\.value.traits.isBlocking).mapValues(\.traits.priority)
  }

  /// Determines which cases of a pebble hold, just before the pebble settles. This method calls
  /// user code.
  ///
  /// - Returns: The cases that hold.
  @inline(never)
  func cases(
    of pebble: Int, succeeded: Bool, _ values: RunValues, in run: RunIdentifier
  ) -> CaseSet {
    guard let questions = questions[UInt32(pebble)] else { return CaseSet() }
    return succeeded
      ? questions.answers(output: values.payload(of: pebble))
      : answers(questions, error: values.failure(at: pebble), in: run)
  }

  /// Returns the cases that hold for a pebble that has succeeded with the given output. This method
  /// calls user code. It is intended for callers outside of the runtime, such as a scheduler.
  package func cases(of pebble: Int, output: AnyOutput?) -> [PebbleCase] {
    guard let questions = questions[UInt32(pebble)] else { return [] }
    return questions.list[questions.answers(output: output)]
  }

  /// Returns the cases that hold for a pebble that has failed with the given error. This method
  /// calls user code. It is intended for a pebble whose body is called without a complete run.
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

  /// Calls the body of a pebble once, without retries or timeouts. If the body is a callback that
  /// succeeds after it was abandoned, calls `undoing` once.
  ///
  /// - Returns: The output of the body; `nil` if the body has no output.
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

/// The names of the limits in a `ResourceTable`, indexed by the numbers of the limits.
struct LimitNames: Sendable {
  var resources: [ResourceKey] = []
  var groups: [String] = []
}

/// The output types needed to encode outputs, and to decode them in another process.
extension Program {
  /// Returns the type of a pebble's output; `nil` if the pebble has no output, or if the type is
  /// unknown, as for a service.
  package func outputType(of pebble: Int) -> Any.Type? {
    let type =
      options[UInt32(pebble)]?.traits.given?.output ?? bodies.address(of: pebble).pointee.output
    return type == Void.self ? nil : type
  }

  /// Returns an output as an `AnyOutput`; `nil` if the output does not have the type that the
  /// pebble returns.
  package func boxed(_ output: Any, of pebble: Int) -> AnyOutput? {
    if let given = options[UInt32(pebble)]?.traits.given { return given.boxed(output) }
    return bodies.address(of: pebble).pointee.boxed(output)
  }
}
