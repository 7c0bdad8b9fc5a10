import Synchronization

/// What a pond has around the body of an attempt.
struct AroundChain: Sendable {
  private let layers: ArraySlice<Around>
  private let context: PebbleContext

  /// Undoes what the body did where a layer lets its output go.
  private let discard: @Sendable (AnyOutput?) async -> Void

  init(
    _ layers: [Around], _ context: PebbleContext,
    discard: @escaping @Sendable (AnyOutput?) async -> Void
  ) {
    self.init(layers[...], context, discard)
  }

  private init(
    _ layers: ArraySlice<Around>, _ context: PebbleContext,
    _ discard: @escaping @Sendable (AnyOutput?) async -> Void
  ) {
    self.layers = layers
    self.context = context
    self.discard = discard
  }

  /// Calls the outermost layer, which calls the next one, down to the body.
  func call(
    _ body: @Sendable () async throws -> AnyOutput?
  ) async throws -> AnyOutput? {
    guard let layer = layers.first else { return try await body() }
    let inner = AroundChain(layers.dropFirst(), context, discard)
    let call = InnerCall()
    let layerEnd = await Result {
      try await layer(context) { try await call.once { try await inner.call(body) } }
    }
    let end = call.layerEnded(layerEnd)
    if case .failure = end, case .success(let output)? = call.result { await discard(output) }
    return try end.get()
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

  /// What the body has returned or thrown.
  var result: Result<AnyOutput?, any Error>? { state.withLock(\.result) }

  /// What the end of the layer makes of the attempt: what the body returned or threw, even if the
  /// layer caught that; or what the layer threw.
  func layerEnded(_ end: Result<Void, any Error>) -> Result<AnyOutput?, any Error> {
    let state = state.withLock { $0 }
    if case .failure(let error) = end { return .failure(error) }
    if state.isCalledAgain { return .failure(AroundError.bodyCalledAgain) }
    return state.result ?? .failure(AroundError.bodyNotCalled)
  }
}
