import Pebbles

extension SoakBody {
  /// Runs a nested pond inside the body, if one is planned for the attempt.
  func runNested(_ attempt: SoakAttempt, _ ticket: SoakTicket) async {
    if attempt.nestedPebbles == 0 { return }
    await runNested(attempt.nestedPebbles, attempt.nestedDepth, ticket)
    ledger.note(.nestedRunEnded, ticket)
  }

  /// Runs a pond whose pebbles are called pages. The first page runs further ponds. If there are
  /// several pages, there is also a service. The service and the runs inside it end with the round
  /// at the latest.
  private func runNested(
    _ count: Int, _ depth: Int, _ ticket: SoakTicket, isInService: Bool = false
  ) async {
    let pond = Pond("pages of \(pebble.name)")
    let pages = (0..<count).map { page in
      pond.pebble("page \(page)", teardown: { _ in close(page, ticket) }) {
        open(page, ticket)
        if page == 0, depth > 1 {
          await runNested(count, depth - 1, ticket, isInService: isInService)
        }
        return page
      }
    }
    if count > 1 {
      pond.service(
        "service", .ending(.ignore), .stopWithin(.milliseconds(5)), when: pages[0].succeeded,
        teardown: { close(count, ticket) },
        body: { ready in
          open(count, ticket)
          await ledger.underWay {
            ready()
            if depth > 2 { await runNested(1, depth - 2, ticket, isInService: true) }
          }
          try? await clock.sleepUntilEnd()
        })
    }
    do {
      let report = try await pond.run(clock: clock)
      let isRight = zip(0..., pages).allSatisfy { report[$1] == $0 }
      if !report.isCancelled, !isRight { ledger.complain("a nested run went wrong: \(report)") }
      if !report.isCancelled {
        ledger.changeNestedRun(report.identifier, of: ticket) { $0.isUp = !isInService }
      }
    } catch {
      ledger.complain("a nested run did not start: \(error)")
    }
  }

  private func open(_ page: Int, _ parent: SoakTicket) {
    guard let context = PebbleContext.current else { return }
    ledger.changeNestedRun(context.runIdentifier, of: parent) { $0.opened[page, default: 0] += 1 }
  }

  private func close(_ page: Int, _ parent: SoakTicket) {
    guard let context = PebbleContext.current else { return }
    ledger.changeNestedRun(context.runIdentifier, of: parent) { $0.closed[page, default: 0] += 1 }
  }
}
