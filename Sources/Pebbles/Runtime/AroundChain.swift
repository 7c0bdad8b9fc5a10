import Synchronization

/// The layers around an attempt's body, outermost first: the pond's layers, then the pebble's.
struct AroundChain: Sendable {
  private let layers: ArraySlice<Around>
  private let context: PebbleContext

  /// A function that undoes the body's output if a layer fails after the body has succeeded.
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

  /// Calls the outermost layer, which calls the next one, and so on down to the body.
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

/// The single call that a layer makes to the next layer or, if there is none, to the body.
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

  /// The output or error of the call; `nil` until the call has ended.
  var result: Result<AnyOutput?, any Error>? { state.withLock(\.result) }

  /// Returns the result of a layer that has ended: the error that the layer threw or, if it
  /// returned normally, the result of its call. If the call failed, its error is returned even if
  /// the layer caught it. A layer that returns without having made exactly one call fails with an
  /// `AroundError`.
  func layerEnded(_ end: Result<Void, any Error>) -> Result<AnyOutput?, any Error> {
    let state = state.withLock { $0 }
    if case .failure(let error) = end { return .failure(error) }
    if state.isCalledAgain { return .failure(AroundError.bodyCalledAgain) }
    return state.result ?? .failure(AroundError.bodyNotCalled)
  }
}
