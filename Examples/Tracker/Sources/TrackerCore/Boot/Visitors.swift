import Pebbles

/// Lets visitors in until it is asked to stop, and waits for those inside.
///
/// - Throws: ``VisitorsLeft`` if its time was not enough.
func admitVisitors(
  to site: Site, _ database: TrackerDatabase, _ settings: Settings, until ready: ServiceReady<Void>
) async throws {
  site.open(try makeSite(database, site, delay: settings.answerDelay))
  ready()
  await ready.stopRequested()
  // Cancelled with the boot, before it was known to be up, and asked to stop or not: those inside
  // have their time all the same, and the database waits.
  let count = await site.close(isPatient: Task.isCancelled)
  if count > 0 { throw VisitorsLeft(count: count) }
}
