/// A rule that tests use neither sleeps nor real clocks. A test that sleeps is slow, or fails on a
/// busy machine, and a test that reads a real clock depends on the machine. Tests pass in clocks
/// that stand still until they are advanced.
struct RealTimeRule: TidyRule {
  let summary = "tests neither sleep nor read a real clock, except the files that say why"

  /// The reason for each exemption from the rule, keyed by the path of the exempt file.
  static let exceptions = [
    "Tests/Fuzzing/Sources/Fuzzing/FuzzTarget.swift": "holds an input to a time of the processor",
    "Tests/JournalProbe/ProbeWork.swift": "its bodies are at work when the process is killed",
    "Tests/Mutation/Sources/mutation/ChildProcess.swift": "looks at another process until it ends",
    "Tests/Mutation/Sources/mutation/MutantBuild.swift": "says when it got how far",
    "Tests/Mutation/Sources/mutation/Player.swift": "measures suites",
    "Tests/Mutation/Sources/mutation/Reach.swift": "measures suites",
    "Tests/PebblesDurableTests/Attempts/RunningElsewhereTests.swift":
      "the loops of the article, as their readers write them",
    "Tests/PebblesDurableTests/Journal/Support/KilledRun.swift":
      "kills another process at any moment",
    "Tests/PebblesPicturesTests/Terminal/RunProgressTests.swift":
      "what is shown of a run as time passes",
    "Tests/PebblesTestingTests/Scheduling/EscapeTests.swift": "a real sleep is to be noticed",
    "Tests/PebblesTests/Options/OptionFaultTests.swift": "the longest times of the system's clocks",
    "Tests/PebblesTests/Options/RetryTests.swift": "the longest times of the system's clocks",
    "Tests/PebblesTests/Options/TimeoutTests.swift": "the longest times of the system's clocks",
    "Tests/PebblesTests/Running/RunClockTests.swift": "the longest times of the system's clocks",
    "Tests/Support/Terminal.swift": "a terminal is another process",
    "Tests/Support/Waiting.swift":
      "ends waits that are in vain; long ones look once a millisecond",
    "Tests/Support/Watched.swift": "ends tests that wait for ever",
    "Examples/Fleet/Tests/NightlyTests/NightlyLoadTests.swift":
      "an answer that does not come before the test is over",
    "Examples/Fleet/Tests/PebblesTemporalTests/Server/CaseRunTests.swift":
      "bodies that do not end before a real server cancels them",
    "Examples/Fleet/Tests/PebblesTemporalTests/Server/DeploymentTests.swift":
      "bodies that are at work when a worker goes",
    "Examples/Fleet/Tests/PebblesTemporalTests/Server/DurableRunTests.swift":
      "bodies that do not end before a real server cancels them",
    "Examples/Fleet/Tests/PebblesTemporalTests/Server/OperatorTests.swift":
      "bodies that are at work when somebody interferes",
    "Examples/Fleet/Tests/PebblesTemporalTests/Server/TeardownTests.swift":
      "bodies that do not end before a real server cancels them",
    "Examples/Tracker/Tests/PeopleTests/Page/PeopleFigures.swift": "measures",
    "Examples/Tracker/Tests/SectionsTests/SectionLoaderTests.swift":
      "the clock of most, none of which waits for a time",
    "Examples/Tracker/Tests/TrackerTests/Boot/RefreshTests.swift":
      "a clock whose time does not come within a day",
    "Examples/Tracker/Tests/TrackerTests/Program/RunningProgram.swift":
      "looks at another process until it answers",
    "Examples/Tracker/Tests/TrackerTests/Support/RawConnection.swift":
      "looks at a connection until the other end has written",
  ]

  private static let clocks: Set<Substring> = [
    "ContinuousClock", "SuspendingClock", "DispatchTime", "DispatchWallTime", "clock_gettime",
    "gettimeofday", "timespec_get",
  ]

  private static let sleeps: Set<Substring> = [
    "sleep", "usleep", "nanosleep", "clock_nanosleep", "sem_timedwait", "pthread_cond_timedwait",
    "asyncAfter",
  ]

  /// The words whose `sleep` is a real one, and not that of a clock that is passed in.
  private static let sleepers: Set<Substring> = ["Task", "Thread", "Glibc", "Darwin", "Musl"]

  func violations(in file: SourceFile) -> [Violation] {
    Self.exceptions[file.path] == nil ? places(in: file) : []
  }

  /// Returns the places at which a test sleeps or reads a real clock, even if it is exempt from the
  /// rule.
  func places(in file: SourceFile) -> [Violation] {
    guard file.isTest else { return [] }
    let words = Self.clocks.union(Self.sleeps).union(["Date", "wait"])
    return file.places(of: words).compactMap { index in
      guard let fault = fault(of: file.tokens, at: index) else { return nil }
      return file.violation(at: file.tokens[index].line, fault)
    }
  }

  private func fault(of tokens: [Token], at index: Int) -> String? {
    let before = tokens[..<index].suffix(2).map(\.text)
    let after = tokens[index...].dropFirst().prefix(2).map(\.text)
    let word = tokens[index].text
    if Self.clocks.contains(word) { return "\(word) is a real clock; hand in one of the tests" }
    if word == "Date", after == ["(", ")"] || after == [".", "now"] {
      return "this is the time of the wall; hand one in"
    }
    if word == "wait", after.first == "(", after.last?.hasPrefix("timeout") == true {
      return "this waits for a time; wait for what is to happen"
    }
    guard Self.sleeps.contains(word), after.first == "(", before.last != "func" else { return nil }
    // On a clock that was handed in, unless that is said not to be one.
    if before.last == ".", let owner = before.first, !Self.sleepers.contains(owner),
      word != "asyncAfter"
    {
      return nil
    }
    return "a test that sleeps is slow or fails; wait for what is to happen"
  }
}

extension SourceFile {
  /// Whether the file belongs to the tests of the package or of an example.
  var isTest: Bool {
    isInside("Tests") || path.hasPrefix("Examples/") && path.contains("/Tests/")
  }
}
