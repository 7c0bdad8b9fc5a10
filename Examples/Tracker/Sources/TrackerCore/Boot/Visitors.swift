import Logging
import Pebbles
import People
import Tracing

/// Admits visitors until the service is asked to stop, and then waits until the admitted requests
/// are answered.
///
/// - Throws: ``VisitorsLeft`` if some of these requests were not answered in time; an error if the
///   page files cannot be read.
func admitVisitors(
  to site: Site, _ database: TrackerDatabase, _ settings: Settings,
  until ready: ServiceReady<Void>, _ logger: Logger
) async throws {
  site.open(try makeSite(database, site, delay: settings.answerDelay, logger: logger))
  ready()
  await ready.stopRequested()
  // If the boot is cancelled before this service was known to be up, the admitted requests still
  // get their time, and the database waits.
  let count = await site.close(isPatient: Task.isCancelled)
  if count > 0 { throw VisitorsLeft(count: count) }
}

/// Generates the people once the first screen is shown, makes them available to visitors, and waits
/// until the service is asked to stop.
///
/// Generating the people takes a second of CPU time. Neither a boot nor a shutdown waits for it.
///
/// - Throws: The error that prevented the people from being generated.
func showPeople(
  to site: Site, _ around: @escaping Around, until ready: ServiceReady<Void>,
  _ make: @escaping @Sendable () async throws -> People
) async throws {
  ready()
  await site.waitForScreen()
  guard !ready.isStopRequested else { return }
  let making = Pond("makePeople", around: around)
  let made = making.pebble("people", .blocking) { try await make() }
  // The boot, and its span, may be over.
  let report = try await ServiceContext.withValue(.topLevel) { try await making.run() }
  if report.isCancelled { return }
  site.people.open(PeopleService(try report.value(of: made), around: around))
  await ready.stopRequested()
}
