import Foundation

/// A launch in a list.
struct LaunchRow {
  let name: String
  let address: String
  let result: String
  let words: String
  let date: String
  let time: String?
  let machine: String?
  let seconds: Int64
  let details: String?

  /// Whether the time of day is known.
  let isExact: Bool

  init(_ launch: Launch, now: Int64) {
    let result = LaunchResult(launch, now: now)
    let date = LaunchDate(launch)
    name = launch.name
    address = LaunchAddress.launch(launch.id)
    (self.result, words) = (result.rawValue, result.words)
    self.date = date?.text ?? "on a day that no calendar has"
    (time, machine) = (date?.time, date?.machine)
    isExact = date?.time != nil
    seconds = launch.date
    details = launch.details.map(Self.excerpt)
  }

  /// Returns the string, shortened if it is too long for a list.
  static func excerpt(_ text: String) -> String {
    text.count <= 280 ? text : text.prefix(280).trimmingCharacters(in: .whitespaces) + "…"
  }
}

/// A failed launch in a list.
struct FailureRow {
  let launch: LaunchRow
  let reasons: [Reason]

  struct Reason {
    let text: String
    let circumstances: String?
  }

  init(_ launch: Launch) {
    self.launch = LaunchRow(launch, now: 0)
    let known = launch.failures.prefix(3).map { failure in
      Reason(
        text: LaunchRow.excerpt(failure.reason ?? launch.details ?? "No reason is known."),
        circumstances: failure.circumstances)
    }
    let other = LaunchRow.excerpt(launch.details ?? "The feed does not say why.")
    reasons = known.isEmpty ? [Reason(text: other, circumstances: nil)] : known
  }
}
