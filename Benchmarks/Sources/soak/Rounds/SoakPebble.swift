import Pebbles

/// A random pebble of the soak. It consists of the options of the pebble and of the actions of its
/// body in each attempt.
struct SoakPebble: Sendable {
  enum Form: Sendable {
    case plain
    case inputs(Inputs)
    case callback
    case service(Service)
  }

  /// The inputs of the body.
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
    /// The pebbles that are torn down only after the service has stopped.
    let stopsBefore: [Int]
    /// The service with which this service is restarted.
    let restartsWith: Int?
  }

  struct Retry: Sendable {
    let mostAttempts: Int
    /// The minimum wait before each further attempt.
    let leastWaits: [Duration]
    let isSelective: Bool
    let policy: RetryPolicy
  }

  enum Place: Sendable {
    case pool, executor, threads, mainActor
  }

  /// The name of the pebble in the running pond.
  let name: String
  var form = Form.plain
  var formula = SoakFormula.always
  /// Whether the condition is set after all pebbles have been created. Such a condition can form a
  /// cycle.
  var isFormulaSetLater = false
  /// The result of the pebble's `.enabled` trait; `nil` if the pebble does not have this trait.
  var isEnabled: Bool?
  var timeout: Duration?
  var retry: Retry?
  var exclusiveKey: String?
  /// The number of connections that the pebble uses. A pebble with inputs uses no connections,
  /// unless it is a service.
  var connections = 0
  var priority = 0
  var place = Place.pool
  var teardown: SoakWork?
  /// The planned attempts, at least as many as the retry policy allows.
  var attempts: [SoakAttempt] = []

  /// The name of the pebble in the pond that defines it. This pond may be a cluster of the running
  /// pond.
  var ownName: String { String(name.split(separator: "/").last ?? "") }

  var mostAttempts: Int { retry?.mostAttempts ?? 1 }

  var hasInputs: Bool {
    if case .inputs = form { true } else { false }
  }

  var service: Service? {
    if case .service(let service) = form { service } else { nil }
  }

  var isService: Bool { service != nil }

  /// Whether the body may be called again after the service was ready.
  var isRestarted: Bool {
    if case .restart = service?.ending { return true }
    return service?.restartsWith != nil
  }

  /// Whether the run may be shut down because the service ended after it was ready.
  var endsRun: Bool {
    switch service?.ending {
    case .shutDown, .restart: true
    case .ignore, nil: false
    }
  }

  var canBeTornDown: Bool { teardown != nil || isService }

  /// The inputs of the body, if any.
  var inputs: Inputs? {
    switch form {
    case .inputs(let inputs): inputs
    case .service(let service): service.inputs
    case .plain, .callback: nil
    }
  }

  /// Returns the plan of the attempt with the given number, starting at 1. If a restarted service
  /// has had all planned attempts, the plans are repeated from the first one.
  func attempt(_ number: Int) -> SoakAttempt { attempts[(number - 1) % attempts.count] }

  /// The complete condition of the pebble, including what its inputs require.
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

/// A planned call to a body.
struct SoakAttempt: Sendable {
  /// A fault of the outermost layer around the body.
  enum AroundFault: Sendable {
    case none, insteadOfBody, afterBody
  }

  var work = SoakWork()
  var aroundFault = AroundFault.none
  /// The number of pebbles in the pond that the body runs; 0 if the body does not run a pond.
  var nestedPebbles = 0
  /// The depth of nested runs.
  var nestedDepth = 1
  /// Whether a service runs the nested pond only after it is ready.
  var isNestedAfterReady = false
  var mishap: SoakMishap?
  var call = SoakCall.once
  var service = SoakServiceLife.untilStopped(stubbornFor: nil)
}

/// A description of some work, with its duration and its reaction to cancellation.
struct SoakWork: Sendable {
  var turns = 0
  var wait: Duration?
  var isStubborn = false
  /// Whether the work ignores cancellation, and continues until the round is over.
  var isStuck = false
  /// The error of a teardown.
  var mishap: SoakMishap?
}

/// The way in which a callback pebble calls its completion.
enum SoakCall: Sendable {
  case once
  case later(Duration)
  case twice
  case twiceAtOnce
  case onceAndLate(Duration)
  case never
  case droppedLater(Duration)
}

/// The behaviour of a service, unless it fails before it is ready.
enum SoakServiceLife: Sendable {
  case endsBeforeReady
  case untilStopped(stubbornFor: Duration?)
  /// A service that waits until it is asked to stop, and then takes the given time to end.
  case drains(Duration)
  /// A service that ignores requests to stop, and continues until the round is over.
  case neverStops
  case endsAfter(Duration, SoakMishap?)
}

enum SoakMishap: Error, Hashable {
  /// An error after which another attempt is made, if any attempts remain.
  case transient
  /// An error after which a selective retry policy makes no further attempt.
  case fatal
  /// An error thrown by a layer around the body.
  case injected
}
