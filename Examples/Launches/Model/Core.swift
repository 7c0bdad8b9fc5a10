/// One first stage, as much of it as the screens show.
struct Core: Codable, Equatable, Identifiable, Sendable {
  let id: String
  /// What people call it, such as `B1048`; not every source knows it.
  var serial: String?
  var landingAttempts: Int
  var landings: Int
  /// The launches it flew or will fly on, as identifiers.
  var launchIDs: [Launch.ID]

  /// The serial, or else the part of the identifier that tells cores apart.
  var displayName: String { serial ?? Core.displayName(ofUnnamed: id) }

  static func displayName(ofUnnamed id: String) -> String { "…" + id.suffix(6) }
}
