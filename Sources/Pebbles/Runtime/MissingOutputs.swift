import Synchronization

/// The outputs that died with an earlier process and are being made again, or have been: each once,
/// by the first that needs it.
final class MissingOutputs: Sendable {
  typealias Made = Promise<Result<Void, any Error>>

  private let made = Mutex<[Int: Made]>([:])

  /// - Returns: What is told once the output is there; and whether it is the caller who makes it.
  func made(_ pebble: Int) -> (made: Made, isMine: Bool) {
    made.withLock { made in
      if let known = made[pebble] { return (known, false) }
      let new = Made()
      made[pebble] = new
      return (new, true)
    }
  }
}

extension RunCore {
  /// Sees to it that what a body takes is there: what died with an earlier process is made again,
  /// by calling the body once more that had made it. It runs as part of the pebble that needs it.
  ///
  /// - Parameter pebble: Whose body is about to be called.
  /// - Returns: Why one of them is not there; `nil` if all are.
  func makeMissingInputs(of pebble: Int) async -> (any Error)? {
    for input in missingInputs(of: pebble) {
      if let error = await make(input) { return error }
    }
    return nil
  }

  /// Whether there are such inputs.
  func lacksInputs(of pebble: Int) -> Bool { !missingInputs(of: pebble).isEmpty }

  private func missingInputs(of pebble: Int) -> [Int] {
    guard recording?.progress != nil, program.pond.graph.hasInputs(pebble) else { return [] }
    return program.pond.graph.pebblesRead(by: pebble).filter {
      program.options[UInt32($0)]?.isService != true && storage.values.isMissing($0)
    }
  }

  private func make(_ pebble: Int) async -> (any Error)? {
    let (made, isMine) = missingOutputs.made(pebble)
    if isMine {
      let attempts = PebbleAttempts(self, pebble)
      var thread: OrderedQueue.Thread?
      if program.options[UInt32(pebble)]?.traits.isBlocking == true, options.executor == nil {
        thread = await attempts.waitForThread()
      }
      let result = await attempts.result(with: thread)
      if case .success(let output) = result {
        storage.values.keepLatestOutput(output, of: pebble)
        await recording?.journal.outputIsThere(output, of: pebble, at: clock.now())
      }
      made.fulfill(result.map { _ in })
    }
    // Who makes it ends when the run is cancelled.
    return await made.value().failure
  }
}
