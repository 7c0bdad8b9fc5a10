import Foundation

/// The command-line arguments of the probe.
struct ProbeOptions {
  let seed: UInt64
  let journal: String

  /// The path of the file for the effects of bodies; `-` for standard output.
  let effects: String

  /// The path of the file for the outcomes; `-` for standard output.
  let outcomes: String

  private(set) var syncs = false
  private(set) var cancelsAll = false
  private(set) var startsAnew = false

  /// The number of effects after which the probe kills itself; `nil` if it never does.
  private(set) var deathAfterEffects: Int?

  /// The maximum size of every file of the probe; `nil` if there is no limit.
  private var fileLimit: Int?

  /// Whether the probe becomes a user without privileges.
  private var isNobody = false

  struct Misuse: Error {}

  init(_ words: [String]) throws {
    guard words.count >= 4, let seed = UInt64(words[0]) else { throw Misuse() }
    self.seed = seed
    journal = words[1]
    effects = words[2]
    outcomes = words[3]
    for word in words.dropFirst(4) {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let number = parts.count > 1 ? Int(parts[1]) : nil
      switch parts[0] {
      case "--power-loss": syncs = true
      case "--cancel-all": cancelsAll = true
      case "--start-anew": startsAnew = true
      case "--die-after": deathAfterEffects = number
      case "--file-limit": fileLimit = number
      case "--nobody": isNobody = true
      default: throw Misuse()
      }
    }
  }

  /// Applies the limits on files and privileges to this process.
  func limitProcess() throws {
    if let fileLimit {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(fileLimit), rlim_max: rlim_t(fileLimit))
      #if canImport(Glibc)
      let file = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
      let file = RLIMIT_FSIZE
      #endif
      guard setrlimit(file, &limit) == 0 else { throw Misuse() }
    }
    if isNobody {
      guard setgid(65_534) == 0, setuid(65_534) == 0 else { throw Misuse() }
    }
  }
}
