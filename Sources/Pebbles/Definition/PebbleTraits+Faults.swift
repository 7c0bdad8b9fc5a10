extension PebbleTraits {
  /// Returns the faults of the traits, worded to follow the pebble's name in a sentence:
  /// `"has a timeout of 0.0 seconds; …"`.
  func faults(isService: Bool) -> [String] {
    var faults = (retry?.faults ?? []).map { "cannot be retried: \($0)" }
    if let timeout, timeout <= .zero {
      faults.append("has a timeout of \(timeout); it must be longer than zero")
    }
    if executor != nil, isBlocking {
      faults.append("has an executor and is blocking as well; a body runs in one place only")
    }
    if isService {
      if isBlocking { faults.append("is a service and cannot be blocking; give it an executor") }
      faults += ending?.faults ?? []
      if let stopWithin, stopWithin <= .zero {
        faults.append("has a stopWithin of \(stopWithin); it must be longer than zero")
      }
    } else {
      let given = [
        (".ending(_:)", ending != nil), (".stopWithin(_:)", stopWithin != nil),
        (".stopsBefore(_:)", !stopsBefore.isEmpty),
        (".restartsWith(_:)", !restartsWith.isEmpty),
      ]
      faults += given.filter(\.1).map {
        "has the trait \($0.0), which is for services only; leave it out"
      }
    }
    return faults
  }
}
