import Foundation

/// The three screens, made from what the store holds.
struct Screens: Sendable, CustomStringConvertible {
  let home: Screen
  let launches: Screen
  let rockets: Screen

  /// - Parameters:
  ///   - contents: What the store holds.
  ///   - launchesError: Why the launches are not fresh; `nil` if they are.
  ///   - coresError: The same for the cores.
  ///   - now: The time it is, from which the next launch and the age of the data are told.
  /// - Throws: ``NothingToShow`` if the store is empty.
  init(
    of contents: StoreContents, launchesError: (any Error)?, coresError: (any Error)?, now: Date
  ) throws(NothingToShow) {
    guard !contents.isEmpty else { throw NothingToShow() }
    let launchesNote = note(
      contents.launches, "launch", "launches", failed: launchesError != nil, now: now)
    let coresNote = note(contents.cores, "core", "cores", failed: coresError != nil, now: now)

    home = Screen(
      title: "Home", notes: [launchesNote, coresNote],
      lines: HomeScreen(launches: contents.launches.items, now: now).lines)
    launches = Screen(
      title: "Launches, newest first", notes: [launchesNote],
      lines: LaunchesScreen(contents: contents).lines)
    rockets = Screen(
      title: "Rockets, most flown first", notes: [coresNote],
      lines: RocketsScreen(contents: contents).lines)
  }

  var text: String {
    [home, launches, rockets].map(\.text).joined(separator: "\n")
  }

  var description: String { "three screens shown" }
}

/// A title, what there is to say about the data, and the lines under it.
struct Screen: Sendable {
  let title: String
  let notes: [String]
  let lines: [String]

  var text: String {
    let rule = String(repeating: "─", count: title.count)
    let body = lines.isEmpty ? [] : [""] + lines
    return ([title, rule] + notes + body).map { $0 + "\n" }.joined()
  }
}

/// Both loads have failed, and never succeeded before.
struct NothingToShow: Error, Equatable, CustomStringConvertible {
  var description: String { "there is nothing to show: the store is empty" }
}

/// How many items there are and how old they are.
private func note<Item>(
  _ collection: StoredCollection<Item>, _ singular: String, _ plural: String, failed: Bool,
  now: Date
) -> String {
  guard let loadedAt = collection.loadedAt else {
    return "! No \(plural): they could not be loaded, and never were before."
  }
  let loaded = "loaded \(age(of: loadedAt, at: now))"
  guard failed else { return "\(counted(collection.items.count, singular, plural)), \(loaded)." }
  return """
    ! The \(plural) could not be loaded. The store has \(collection.items.count), \(loaded), \
    on \(DateText(loadedAt).long).
    """
}
