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
  // Cancelled with the boot, before it was up, it is not asked to stop: those inside have their
  // time all the same, and the database waits.
  let count =
    ready.isStopRequested ? await site.close() : await Task { await site.close() }.value
  if count > 0 { throw VisitorsLeft(count: count) }
}

/// The time that visitors have to get their answers was not enough.
struct VisitorsLeft: Error, CustomStringConvertible {
  let count: Int

  var description: String {
    count == 1
      ? "a request had not been answered when the time was over"
      : "\(count) requests had not been answered when the time was over"
  }
}
