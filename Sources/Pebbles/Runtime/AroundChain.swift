import Synchronization

/// What a pond has around the body of an attempt.
struct AroundChain: Sendable {
  private let layers: ArraySlice<Around>
  private let context: PebbleContext

  init(_ layers: [Around], _ context: PebbleContext) {
    self.init(layers[...], context)
  }

  private init(_ layers: ArraySlice<Around>, _ context: PebbleContext) {
    self.layers = layers
    self.context = context
  }

  /// Calls the outermost layer, which calls the next one, down to the body.
  func call(
    _ body: @Sendable () async throws -> AnyOutput?
  ) async throws -> AnyOutput? {
    guard let layer = layers.first else { return try await body() }
    let inner = AroundChain(layers.dropFirst(), context)
    let call = InnerCall()
    try await layer(context) {
      try await call.once { try await inner.call(body) }
    }
    return try call.output()
  }
}

/// The one call that a layer makes of what is inside of it.
private final class InnerCall: Sendable {
  private struct State {
    var isCalled = false
    var isCalledAgain = false
    var result: Result<AnyOutput?, any Error>?
  }

  private let state = Mutex(State())

  func once(_ body: () async throws -> AnyOutput?) async throws {
    let isFirst = state.withLock { state in
      defer { state.isCalled = true }
      state.isCalledAgain = state.isCalled
      return !state.isCalled
    }
    guard isFirst else { throw AroundError.bodyCalledAgain }
    let result = await Result { try await body() }
    state.withLock { $0.result = result }
    _ = try result.get()
  }

  /// What the body returned or threw, even if the layer caught that.
  func output() throws -> AnyOutput? {
    let state = state.withLock { $0 }
    if state.isCalledAgain { throw AroundError.bodyCalledAgain }
    guard let result = state.result else { throw AroundError.bodyNotCalled }
    return try result.get()
  }
}
