import Pebbles
import Synchronization
import Tracing

/// Returns code to run around bodies. The code creates a span for every attempt during the boot,
/// inside a span for the run. It creates no span for a service that is restarted after the boot.
///
/// ```swift
/// let pond = Pond("boot", around: attemptSpans())
/// ```
///
/// The span of a run has the name of its pond and ends with the boot. The spans of attempts have
/// the names of their pebbles. They have the attributes `pond.name`, `pond.run`, `pond.pebble` and
/// `pond.attempt`, and record the error of a failed attempt. The span of a service ends when the
/// service is ready. To keep the service's later work out of the boot's spans, run the service with
/// `ServiceReady.run(_:logger:)`. In a hand-written service, start the work with
/// `ServiceContext.withValue(.topLevel)` instead.
///
/// If a body runs another pond, the span of that pond is inside the span of the attempt.
///
/// - Parameter tracer: The tracer; the global one by default.
/// - Returns: The code to run around bodies, which can be shared by any number of ponds.
public func attemptSpans(of tracer: (any Tracer)? = nil) -> Around {
  let spans = RunSpans(tracer)
  return { context, body in try await spans.attempt(context, body) }
}

/// The spans of the runs that are booting.
private final class RunSpans: Sendable {
  private struct Boot: Sendable {
    let span: any Span

    /// The run's events, which determine when the spans of services and of the boot end.
    let events: Task<RunEvents, Never>

    /// The spans of the attempts under way, keyed by pebble.
    var attempts: [String: any Span] = [:]
  }

  private let tracer: (any Tracer)?
  private let boots = Mutex<[RunIdentifier: Boot]>([:])

  init(_ tracer: (any Tracer)?) {
    self.tracer = tracer
  }

  func attempt(
    _ context: PebbleContext, _ body: @Sendable () async throws -> Void
  ) async throws {
    guard let boot = boot(of: context) else {
      // A restart of a service is not part of the boot.
      return try await ServiceContext.withValue(.topLevel) { try await body() }
    }
    // The events are awaited first, so that no event of this attempt is missed.
    _ = await boot.events.value
    let span = start(context.pebble, in: boot.span.context, context)
    span.attributes["pond.pebble"] = context.pebble
    span.attributes["pond.attempt"] = context.attempt
    boots.withLock { $0[context.runIdentifier]?.attempts[context.pebble] = span }
    do {
      try await ServiceContext.withValue(span.context) { try await body() }
      end(context.pebble, of: context.runIdentifier)
    } catch {
      // If a service was ready, its span has ended, and this is no failure of the boot.
      end(context.pebble, of: context.runIdentifier, error)
      throw error
    }
  }

  private func start(
    _ name: String, in parent: ServiceContext, _ context: PebbleContext
  ) -> any Span {
    let span = (tracer ?? InstrumentationSystem.tracer).startAnySpan(name, context: parent)
    span.attributes["pond.name"] = context.pond
    span.attributes["pond.run"] = "\(context.runIdentifier)"
    return span
  }

  /// Returns the boot to which an attempt belongs, or `nil` if the boot is over. The first attempt
  /// of a run creates the boot.
  private func boot(of context: PebbleContext) -> Boot? {
    if let boot = boots.withLock({ $0[context.runIdentifier] }) { return boot }
    guard let run = context.run, run.status.phase == .booting else { return nil }

    let (boot, isFirst) = boots.withLock { boots in
      if let boot = boots[context.runIdentifier] { return (boot, false) }
      // Detached, because inside of a service an observation ends when the service is asked to
      // stop.
      let boot = Boot(
        span: start(context.pond, in: .current ?? .topLevel, context),
        events: Task.detached { run.events(bufferingNewest: 65_536) })
      boots[context.runIdentifier] = boot
      return (boot, true)
    }
    if isFirst { Task.detached { await self.watch(boot.events.value, context.runIdentifier) } }
    return boot
  }

  private func watch(_ events: RunEvents, _ run: RunIdentifier) async {
    for await event in events {
      if event.kind == .settled, let pebble = event.pebble {
        end(pebble, of: run, event.error)
      } else if event.kind == .runEnded {
        break
      }
    }
    guard let boot = boots.withLock({ $0.removeValue(forKey: run) }) else { return }
    for span in boot.attempts.values { span.end() }
    boot.span.end()
  }

  private func end(_ pebble: String, of run: RunIdentifier, _ error: (any Error)? = nil) {
    let attempt = boots.withLock { $0[run]?.attempts.removeValue(forKey: pebble) }
    guard let span = attempt else { return }
    if let error {
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
    }
    span.end()
  }
}
