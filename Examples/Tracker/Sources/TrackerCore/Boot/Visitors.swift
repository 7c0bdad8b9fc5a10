import Logging
import Pebbles
import People

/// Lets visitors in until it is asked to stop, and waits for those inside.
///
/// - Throws: ``VisitorsLeft`` if its time was not enough.
func admitVisitors(
  to site: Site, _ database: TrackerDatabase, _ settings: Settings,
  until ready: ServiceReady<Void>, _ logger: Logger
) async throws {
  site.open(try makeSite(database, site, delay: settings.answerDelay, logger: logger))
  ready()
  await ready.stopRequested()
  // Cancelled with the boot, before it was known to be up, and asked to stop or not: those inside
  // have their time all the same, and the database waits.
  let count = await site.close(isPatient: Task.isCancelled)
  if count > 0 { throw VisitorsLeft(count: count) }
}

/// Makes the people once there is a screen, and has them asked for until it is asked to stop.
///
/// To make them takes a second of a processor, for which neither a boot nor a shutdown waits.
///
/// - Throws: What making them throws.
func showPeople(
  to site: Site, _ around: @escaping Around, until ready: ServiceReady<Void>,
  _ make: @escaping @Sendable () async throws -> People
) async throws {
  ready()
  await site.waitForScreen()
  guard !ready.isStopRequested else { return }
  let making = Pond("makePeople", around: around)
  let made = making.pebble("people", .blocking) { try await make() }
  let report = try await making.run()
  if report.isCancelled { return }
  site.people.open(PeopleService(try report.value(of: made), around: around))
  await ready.stopRequested()
}
