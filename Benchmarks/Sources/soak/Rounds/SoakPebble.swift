import Pebbles

/// What the soak has drawn for one pebble: its options, and what its body does in each attempt.
struct SoakPebble: Sendable {
  enum Form: Sendable {
    case plain
    case inputs(Inputs)
    case callback
    case service(Service)
  }

  /// Which outputs the body is handed.
  enum Inputs: Sendable {
    case output(Int)
    case outputAndResult(Int, Int)
    case resultAndOptional(Int, Int)
  }

  struct Service: Sendable {
    enum Ending: Sendable {
      case ignore, shutDown
      case restart(Retry, resetAfter: Duration)
    }

    let ending: Ending
    let inputs: Inputs?
    let stopWithin: Duration?
    /// The pebbles that are not torn down before the service has stopped.
    let stopsBefore: [Int]
    /// The service with which it is called again.
    let restartsWith: Int?
  }

  struct Retry: Sendable {
    let mostAttempts: Int
    /// The least wait before each further attempt.
    let leastWaits: [Duration]
    let isSelective: Bool
    let policy: RetryPolicy
  }

  enum Place: Sendable {
    case pool, executor, threads, mainActor
  }

  /// The name in the pond that runs.
  let name: String
  var form = Form.plain
  var formula = SoakFormula.always
  /// Whether the condition is set once all pebbles exist; it may then form a cycle.
  var isFormulaSetLater = false
  /// What the pebble answers to whether it takes part; `nil` if it is not asked.
  var isEnabled: Bool?
  var timeout: Duration?
  var retry: Retry?
  var exclusiveKey: String?
  /// How many connections the pebble uses; none if it has inputs.
  var connections = 0
  var priority = 0
  var place = Place.pool
  var teardown: SoakWork?
  /// At least as many as the retry policy allows.
  var attempts: [SoakAttempt] = []

  /// The name in the pond in which the pebble was defined, which may be a cluster of the other.
  var ownName: String { String(name.split(separator: "/").last ?? "") }

  var mostAttempts: Int { retry?.mostAttempts ?? 1 }

  var hasInputs: Bool {
    if case .inputs = form { true } else { false }
  }

  var service: Service? {
    if case .service(let service) = form { service } else { nil }
  }

  var isService: Bool { service != nil }

  /// Whether its body may be called again once it was ready.
  var isRestarted: Bool {
    if case .restart = service?.ending { return true }
    return service?.restartsWith != nil
  }

  /// Whether the end of the service, had it been ready, shuts the run down.
  var endsRun: Bool {
    switch service?.ending {
    case .shutDown, .restart: true
    case .ignore, nil: false
    }
  }

  var canBeTornDown: Bool { teardown != nil || isService }

  /// Which outputs the body is handed, if any.
  var inputs: Inputs? {
    switch form {
    case .inputs(let inputs): inputs
    case .service(let service): service.inputs
    case .plain, .callback: nil
    }
  }

  /// What the body does when it is called for the given time, from 1. A service that is restarted
  /// begins anew once it is through.
  func attempt(_ number: Int) -> SoakAttempt { attempts[(number - 1) % attempts.count] }

  /// All that has to hold before the pebble runs.
  var wholeFormula: SoakFormula {
    guard let inputs else { return formula }
    let implied: [SoakFormula] =
      switch inputs {
      case .output(let first): [.atom(first, .succeeded)]
      case .outputAndResult(let first, let second):
        [.atom(first, .succeeded), .atom(second, .completed)]
      case .resultAndOptional(let first, let second):
        [.atom(first, .completed), .atom(second, .settled)]
      }
    return .all([formula] + implied)
  }
}

/// One call of a body.
struct SoakAttempt: Sendable {
  /// What the outermost layer around the body does beside calling it.
  enum AroundFault: Sendable {
    case none, insteadOfBody, afterBody
  }

  var work = SoakWork()
  var aroundFault = AroundFault.none
  /// How many pebbles there are in a pond that the body runs; none if 0.
  var nestedPebbles = 0
  /// How deep runs are inside of runs.
  var nestedDepth = 1
  /// Whether a service runs it once it is ready.
  var isNestedAfterReady = false
  var mishap: SoakMishap?
  var call = SoakCall.once
  var service = SoakServiceLife.untilStopped(stubbornFor: nil)
}

/// How time passes.
struct SoakWork: Sendable {
  var turns = 0
  var wait: Duration?
  var isStubborn = false
  /// Whether it goes on until the round is over, whatever it is told.
  var isStuck = false
  /// For teardowns.
  var mishap: SoakMishap?
}

/// What a callback pebble does with its completion.
enum SoakCall: Sendable {
  case once
  case later(Duration)
  case twice
  case twiceAtOnce
  case onceAndLate(Duration)
  case never
  case droppedLater(Duration)
}

/// What a service does, if it does not fail before it is ready.
enum SoakServiceLife: Sendable {
  case endsBeforeReady
  case untilStopped(stubbornFor: Duration?)
  /// Waits until it is asked to stop, and takes this long then.
  case drains(Duration)
  /// Goes on until the round is over, whatever it is told.
  case neverStops
  case endsAfter(Duration, SoakMishap?)
}

enum SoakMishap: Error, Hashable {
  /// Worth another attempt.
  case transient
  /// Not for those who are selective.
  case fatal
  /// By a layer around the body.
  case injected
}
