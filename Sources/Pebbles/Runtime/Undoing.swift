/// The process of undoing the effects of a pebble's body. The pebble's teardown is called with the
/// output of the body, and the runs inside the pebble are shut down.
struct Undoing: Sendable {
  private let core: RunCore
  private let pebble: Int

  init(_ core: RunCore, _ pebble: Int) {
    self.core = core
    self.pebble = pebble
  }

  /// Calls the pebble's teardown, if there is one, with an output.
  ///
  /// - Throws: The error of the teardown, or the first error from shutting down the runs that the
  ///   teardown started.
  func callTeardown(_ output: AnyOutput?) async throws {
    guard let teardown = core.program.options[UInt32(pebble)]?.teardown else { return }
    let attempts = core.storage.notes(at: pebble)?.attempts.count ?? 0
    let slot = ContextSlot(core, pebble: pebble, attempt: max(1, attempts), isTeardown: true)
    core.note(.teardownStarted(core.name(pebble)), at: core.clock.now())
    let result = await ContextSlot.$current.withValue(slot) {
      await Result { try await teardown(output) }
    }
    slot.close()
    var error = await core.closed(slot, of: pebble).first
    if case .failure(let failure) = result { error = failure }
    core.note(.teardownEnded(core.name(pebble), error), at: core.clock.now())
    if let error { throw error }
  }

  /// Calls the pebble's teardown with an output, on the pebble's executor.
  func undo(_ output: AnyOutput?) async -> Result<Void, any Error> {
    // In a task of its own, because the caller's task may have been cancelled.
    let task = core.makeTask {
      await Result {
        guard let options = core.program.options[UInt32(pebble)],
          let executor = core.executor(for: options)
        else { return try await callTeardown(output) }
        guard options.traits.isBlocking else {
          return try await executor.call { try await callTeardown(output) }
        }
        // A teardown that blocks the pool is better than one that is never called.
        guard let lease = core.options.blockingThreads.leaseAtOnce() else {
          return try await callTeardown(output)
        }
        defer { lease.end() }
        try await executor.call { try await callTeardown(output) }
      }
    }
    return await task.value
  }

  // MARK: Outputs that their pebble does not use

  /// Undoes an output that a layer around a body has discarded.
  func discard(_ output: AnyOutput?) async {
    guard core.program.options[UInt32(pebble)]?.teardown != nil else { return }
    core.life.change { $0.undoingBegan(pebble) }
    await start(output).value
  }

  /// Starts to undo an output. The caller must first register the output as being undone, because
  /// otherwise a shutdown does not wait for the task.
  ///
  /// - Returns: The task that undoes the output.
  @discardableResult
  func start(_ output: AnyOutput?) -> Task<Void, Never> {
    core.makeTask {
      await undoLate(output)
      core.take { $0.undone(pebble) }
    }
  }

  /// Starts a task that undoes the output left behind by an attempt, if there is one, and then
  /// shuts down the runs inside the attempt.
  func close(_ call: AttemptCall, _ output: AnyOutput??, _ runs: [RunCore]) {
    core.makeTask {
      if let output {
        await undoLate(output)
        core.take { $0.undone(pebble) }
      }
      for error in await core.shutDown(runs).errors {
        core.lateTeardownFailed(error, at: pebble)
      }
      core.take { $0.closed(call) }
    }
  }

  private func undoLate(_ output: AnyOutput?) async {
    if case .failure(let error) = await undo(output) {
      core.lateTeardownFailed(error, at: pebble)
    }
  }
}
