import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Pebbles
import PebblesAnalysis
import PebblesServer
import Testing
import TrackerTestSupport

@Suite struct RouteTests {
  let begin = Gate()
  let pond = Pond("boot")
  let migrate: Pebble<Void>

  init() {
    let begin = begin
    migrate = pond.pebble("migrate <&>") { await begin.passed() }
    pond.pebble("warmUp", when: migrate.succeeded) {}
  }

  func application(
    _ run: Run, service: ServiceState = ServiceState(isReady: true)
  )
    -> some ApplicationProtocol
  {
    let router = Router()
    addHealthRoutes(to: router, run: run) { service }
    addBootRoutes(to: router, run: run)
    return Application(router: router)
  }

  @Test func aBootUnderWayIsLiveAndNotReadyAndSaysWhy() async throws {
    let run = try pond.start()

    try await application(run).test(.router) { client in
      try await client.execute(uri: "/health/live", method: .get) { #expect($0.status == .ok) }
      try await client.execute(uri: "/health/ready", method: .get) { response in
        #expect(response.status == .serviceUnavailable)
        let text = String(buffer: response.body)
        #expect(text.contains("migrate <&>: running for "))
        #expect(text.contains(#""isReady":false"#))
      }
      try await client.execute(uri: "/boot.json", method: .get) { response in
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "1")
      }
      try await client.execute(uri: "/boot", method: .get) { response in
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(String(buffer: response.body).contains("<title>boot · booting</title>"))
      }
      try await client.execute(uri: "/boot.dot", method: .get) { response in
        #expect(String(buffer: response.body).hasPrefix("digraph"))
      }
    }
    begin.open()
    _ = try await run.report
  }

  /// Checks that the page requests URLs relative to its own, because it does not contain the prefix
  /// of the group to which the routes were added.
  @Test func thePageAsksBelowItself() async throws {
    let run = try pond.start()
    let router = Router()
    addBootRoutes(to: router.group("operation"), run: run)

    try await Application(router: router).test(.router) { client in
      try await client.execute(uri: "/operation/boot", method: .get) { response in
        let page = String(buffer: response.body)
        #expect(page.contains("\"boot/events\""))
        #expect(!page.contains("\"/boot"))
      }
      // From there, `boot/events` would be elsewhere.
      try await client.execute(uri: "/operation/boot/", method: .get) { response in
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "../boot")
      }
      try await client.execute(uri: "/operation/boot.dot", method: .get) { response in
        #expect(response.status == .ok)
      }
    }
    begin.open()
    _ = try await run.report
  }

  @Test func afterTheBootItIsReadyAndHasAReport() async throws {
    let run = try pond.start()
    begin.open()
    let report = try await run.report

    try await application(run).test(.router) { client in
      try await client.execute(uri: "/health/ready", method: .get) { #expect($0.status == .ok) }
      try await client.execute(uri: "/boot.json", method: .get) { response in
        let recorded = try RecordedRun(json: String(buffer: response.body))
        #expect(recorded.pebbles.map(\.name) == report.records.map(\.name))
      }
      try await client.execute(uri: "/boot", method: .get) { response in
        let page = try PondDocument(response.body.readableBytesView)
        #expect(page.run?.pebbles.count == 2)
      }
      try await client.execute(uri: "/boot.dot", method: .get) { response in
        #expect(String(buffer: response.body) == report.dot())
      }
    }
  }

  @Test func theServiceItselfMayDisagree() async throws {
    let run = try pond.start()
    begin.open()
    _ = try await run.report

    try await application(run, service: ServiceState(isReady: false, says: "no feed")).test(.router)
    { client in
      try await client.execute(uri: "/health/ready", method: .get) { response in
        #expect(response.status == .serviceUnavailable)
      }
    }
  }

  @Test func aFailureThatNobodyHandledIsNotReady() async throws {
    let pond = Pond("boot")
    pond.pebble("migrate") { throw Refused() }
    let run = try pond.start()
    _ = try await run.report

    try await application(run).test(.router) { client in
      try await client.execute(uri: "/health/ready", method: .get) { response in
        #expect(response.status == .serviceUnavailable)
        #expect(String(buffer: response.body).contains(#""phase":"failed""#))
      }
    }
  }

  @Test func afterAShutdownItIsNotReady() async throws {
    let pond = Pond("boot")
    pond.service("http") { ready in
      ready()
      await ready.stopRequested()
    }
    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown()

    try await application(run).test(.router) { client in
      try await client.execute(uri: "/health/ready", method: .get) { response in
        #expect(response.status == .serviceUnavailable)
      }
      try await client.execute(uri: "/boot.json", method: .get) { #expect($0.status == .ok) }
    }
  }

  @Test func aShutdownUnderWayIsNotCalledABoot() async throws {
    let (stopping, end) = (Gate(), Gate())
    let pond = Pond("boot")
    pond.service("http") { ready in
      ready()
      await ready.stopRequested()
      stopping.open()
      await end.passed()
    }
    let run = try pond.start()
    _ = try await run.report
    let shutdown = Task { try await run.shutdown() }
    await stopping.passed()

    try await application(run).test(.router) { client in
      try await client.execute(uri: "/boot.json", method: .get) { response in
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "1")
        #expect(String(buffer: response.body).contains("the shutdown is under way"))
      }
    }
    end.open()
    try await shutdown.value.check()
  }

  @Test func eventsAreToldAsTheyHappen() async throws {
    let run = try pond.start()

    try await application(run).test(.router) { [begin] client in
      // Told first is what is so already; the boot goes on only after somebody listens.
      async let response = client.execute(uri: "/boot/events", method: .get)
      while run.status.phase == .booting {
        begin.open()
        await Task.yield()
      }
      let told = try await response
      #expect(told.headers[.contentType] == "text/event-stream")
      let messages = String(buffer: told.body).components(separatedBy: "\n\n")
      let first = try #require(messages.first)
      #expect(first.hasPrefix("event: status\ndata: {"))
      let status = try JSONDecoder().decode(
        RunStatus.self, from: Data(first.dropFirst("event: status\ndata: ".count).utf8))
      #expect(status.total == 2)
      #expect(messages.contains { $0.hasPrefix("event: over") })
    }
  }

  @Test func aRunThatKeepsItsEventsIsOverOnce() async throws {
    let run = try pond.start(eventHistory: 100)
    begin.open()
    _ = try await run.report

    try await application(run).test(.router) { client in
      try await client.execute(uri: "/boot/events", method: .get) { response in
        let names = String(buffer: response.body).split(separator: "\n").filter {
          $0.hasPrefix("event: ")
        }
        #expect(names.prefix(2) == ["event: status", "event: over"])
        #expect(names.last == "event: runEnded")
        #expect(names.count { $0 == "event: over" } == 1)
      }
    }
  }

  /// Checks that a client that connects during a shutdown is told of its end, and not of the end of
  /// the boot, after which the page would load again and again.
  @Test func aShutdownIsOverOnlyWhenItEnds() async throws {
    let (stopping, end) = (Gate(), Gate())
    let pond = Pond("boot")
    pond.service("worker") { ready in
      ready()
      await ready.stopRequested()
      stopping.open()
      await end.passed()
    }
    let run = try pond.start(eventHistory: 100)
    _ = try await run.report
    async let shutdown = run.shutdown()
    await stopping.passed()

    let router = Router()
    addBootRoutes(to: router, run: run)
    router.add(middleware: Opening(gate: end, behind: "event: shutdownBegan"))
    addBootRoutes(to: router.group("watched"), run: run)

    try await Application(router: router).test(.router) { client in
      let isFollowed = { (response: TestResponse) in
        String(buffer: response.body).contains("\"boot/events\"")
      }
      try await client.execute(uri: "/boot", method: .get) { #expect(isFollowed($0)) }
      let told = try await client.execute(uri: "/watched/boot/events", method: .get)
      let names = String(buffer: told.body).split(separator: "\n").filter {
        $0.hasPrefix("event: ")
      }
      #expect(names.contains("event: runEnded"))
      #expect(names.suffix(2) == ["event: shutdownEnded", "event: over"])
      #expect(names.count { $0 == "event: over" } == 1)
      try await client.execute(uri: "/boot", method: .get) { #expect(!isFollowed($0)) }
    }
    try await shutdown.check()
  }

  /// Checks that a client that watches a boot does not keep the server from shutting down.
  @Test func aClientThatWatchesDoesNotHoldUpTheShutdown() async throws {
    let pond = Pond("server")
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let watched = Gate()
    let http: Pebble<Int> = pond.service("http", .stopWithin(.seconds(60))) { ready in
      let run = try #require(PebbleContext.current?.run)
      let router = Router()
      router.add(middleware: Opening(gate: watched, behind: "event: status"))
      addBootRoutes(to: router, run: run)
      let server = Application(
        router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { ready($0.localAddress?.port ?? 0) }, logger: logger)
      try await ready.run(server, logger: logger)
    }
    let run = try pond.start()
    let port = try await run.report.value(of: http)

    let told = try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
      async let response = client.execute(.init("/boot/events", method: .get))
      await watched.passed()
      try await run.shutdown().check()
      return try await response
    }

    #expect(told.status == .ok)
    let record = try #require(try await run.report.record(of: http))
    #expect(record.serviceEnd?.error == nil)
  }

  @Test func whatPebblesAreCalledStaysText() async throws {
    let pond = Pond("boot")
    pond.pebble("</script><script>alert(1)</script>\n\nevent: x") { throw Refused() }
    let run = try pond.start()
    _ = try await run.report

    try await application(run).test(.router) { client in
      try await client.execute(uri: "/boot", method: .get) { response in
        #expect(!String(buffer: response.body).contains("<script>alert"))
      }
      try await client.execute(uri: "/boot/events", method: .get) { response in
        #expect(!String(buffer: response.body).contains("\nevent: x"))
      }
    }
  }
}

/// A middleware that opens a gate as soon as a response has sent the given text.
private struct Opening<Context: RequestContext>: RouterMiddleware {
  let gate: Gate
  let behind: String

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    let body = response.body
    response.body = ResponseBody { try await body.write(Writer(opening: self, base: $0)) }
    return response
  }

  private struct Writer: ResponseBodyWriter {
    let opening: Opening
    var base: any ResponseBodyWriter

    mutating func write(_ buffer: ByteBuffer) async throws {
      try await base.write(buffer)
      if String(buffer: buffer).contains(opening.behind) { opening.gate.open() }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
      try await base.finish(trailingHeaders)
    }
  }
}
