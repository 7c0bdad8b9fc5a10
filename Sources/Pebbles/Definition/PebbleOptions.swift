/// What a pebble was given beyond its condition and its body. Most have none.
package final class PebbleOptions: Sendable {
  typealias Teardown = @Sendable (RunValues, Int) async throws -> Void

  /// Whether the pebble takes part in a run; asked once per run.
  package let isEnabled: (@Sendable () -> Bool)?

  /// How long an attempt may take.
  package let timeout: Duration?
  package let retry: RetryPolicy?

  /// All that limits when the pebble can start.
  package let limits: [ResourceUse]
  package let priority: Int

  package let executor: (any TaskExecutor)?
  package let isBlocking: Bool

  /// Undoes what the body did, given the values of the run and the position of the pebble there.
  let teardown: Teardown?

  /// Set for a service.
  let service: ServiceOptions?

  /// What the clusters that the pebble is in have around it, outermost first.
  let around: [Around]

  static let none = PebbleOptions()

  init(
    isEnabled: (@Sendable () -> Bool)? = nil, timeout: Duration? = nil, retry: RetryPolicy? = nil,
    exclusive key: String? = nil, uses resources: [ResourceUse] = [], priority: Int = 0,
    executor: (any TaskExecutor)? = nil, isBlocking: Bool = false, teardown: Teardown? = nil,
    service: ServiceOptions? = nil, around: [Around] = []
  ) {
    self.isEnabled = isEnabled
    self.timeout = timeout
    self.retry = retry
    limits = resources + (key.map { [.exclusive($0)] } ?? [])
    self.priority = priority
    self.executor = executor
    self.isBlocking = isBlocking
    self.teardown = teardown
    self.service = service
    self.around = around
  }

  /// Whether the body has to be called with more than an `await`.
  var shapesAttempts: Bool {
    timeout != nil || retry != nil || executor != nil || isBlocking || service != nil
      || !around.isEmpty
  }

  /// Whether there is something to undo when the run is shut down.
  var canBeTornDown: Bool { teardown != nil || service != nil }

  package var isService: Bool { service != nil }

  /// The options, or `nil` if none differs from the default.
  @inline(__always)
  static func unlessDefault(
    isEnabled: (@Sendable () -> Bool)?, timeout: Duration?, retry: RetryPolicy?,
    exclusive key: String?, uses resources: [ResourceUse], priority: Int,
    executor: (any TaskExecutor)?, isBlocking: Bool, teardown: Teardown?
  ) -> PebbleOptions? {
    let isDefault =
      isEnabled == nil && timeout == nil && retry == nil && key == nil && resources.isEmpty
      && priority == 0 && executor == nil && !isBlocking && teardown == nil
    if isDefault { return nil }
    return PebbleOptions(
      isEnabled: isEnabled, timeout: timeout, retry: retry, exclusive: key, uses: resources,
      priority: priority, executor: executor, isBlocking: isBlocking, teardown: teardown)
  }

  /// The options of a copy in a cluster that has something around its pebbles.
  func surrounded(by layers: [Around]) -> PebbleOptions {
    PebbleOptions(
      isEnabled: isEnabled, timeout: timeout, retry: retry, uses: limits, priority: priority,
      executor: executor, isBlocking: isBlocking, teardown: teardown, service: service,
      around: layers + around)
  }

  /// What is wrong with them, each a clause that follows the name of the pebble.
  var faults: [String] {
    var faults = (retry?.faults ?? []).map { "cannot be retried: \($0)" }
    if let timeout, timeout <= .zero {
      faults.append("has a timeout of \(timeout); it must be longer than zero")
    }
    if executor != nil, isBlocking {
      faults.append("has an executor and is blocking as well; a body runs in one place only")
    }
    return faults
  }
}
