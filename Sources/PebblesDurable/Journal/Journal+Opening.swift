import Pebbles
import PebblesAnalysis

/// An open journal and its content, for the exclusive use of one run.
struct OpenJournal {
  let writer: JournalWriter

  private let run: RunIdentifier

  /// The progress of the run; `nil` for a run that has not begun.
  private let progress: RunProgress?

  private let given: [Int: AnyOutput]
  private let graph: PondGraph

  /// Creates the journal of a run. `known` is the recorded progress of the run; `nil` if the run
  /// has not begun.
  init(
    _ writer: JournalWriter, of run: RunIdentifier, _ known: JournalProgress?, _ program: Program
  ) {
    self.writer = writer
    self.run = run
    progress = known?.progress
    given = known?.given ?? [:]
    graph = program.pond.graph
  }

  /// The recording to pass to the run when it starts.
  var recording: RunRecording { RunRecording(writer, of: run, progress) }

  /// Returns the values to give to the run: the original values that the journal has kept, followed
  /// by the caller's values for all other pebbles.
  func given(_ values: [GivenValue]) -> [GivenValue] {
    let known = given.keys.sorted().compactMap { pebble in
      given[pebble].map { output in
        let reference = PebbleReference(definition: graph.definition, index: UInt32(pebble))
        return GivenValue(pebble: reference, output: output)
      }
    }
    return known
      + values.filter { value in graph.position(of: value.pebble).map { given[$0] == nil } ?? true }
  }
}

extension Journal {
  /// Opens the file, and reads its unfinished run if that run is to be continued.
  ///
  /// Otherwise, sets aside any old run in the file, and begins a new journal.
  ///
  /// - Parameters:
  ///   - program: The pond.
  ///   - values: The values that the caller gives to the run.
  ///   - targets: The pebbles that the caller asks for; `nil` for all.
  /// - Returns: The open journal, with its content.
  /// - Throws: ``JournalError`` if the file cannot be used; `CancellationError` if the task is
  ///   cancelled while it waits for another run.
  func open(
    for program: Program, given values: [GivenValue], only targets: [any PebbleIdentifying]?
  ) async throws -> OpenJournal {
    var logic = JSONWriter(breaksLines: false)
    PondModelWriter(PondModel(program.pond)).write(to: &logic)
    let deadline = ContinuousClock.now + patience
    var place = path
    while true {
      let file = try await lockedFile(at: place, until: deadline)
      let bytes = try access { () throws(SystemFile.Failure) in try file.read() }
      switch try found(in: bytes, of: program, logic.bytes, values, targets) {
      case .nothing: return begin(in: file, program, logic.bytes)
      case .unfinished(let reader, let known): return goOn(in: file, reader, known, program)
      case .over:
        try access { () throws(SystemFile.Failure) in try file.setAside() }
        // Uses the resolved path, because a symbolic link to the file is broken now.
        place = file.path
      }
    }
  }

  private func begin(in file: SystemFile, _ program: Program, _ logic: [UInt8]) -> OpenJournal {
    // Made from text, because only the text of an identifier is the same in the next process.
    let run = RunIdentifier("\(RunIdentifier())")
    let header = JournalHeader(run: "\(run)", syncs: durability.syncs, pond: logic)
    return OpenJournal(
      JournalWriter(file, outputs(program), wallClock, .beginning(header)), of: run, nil, program)
  }

  private func goOn(
    in file: SystemFile, _ reader: JournalReader, _ known: JournalProgress, _ program: Program
  ) -> OpenJournal {
    let writer = JournalWriter(
      file, outputs(program), wallClock,
      .end(
        JournalWriter.End(
          length: reader.length, lineCount: reader.lineCount, elapsed: known.progress.elapsed,
          syncs: reader.syncs || durability.syncs,
          isFirstToSync: durability.syncs && !reader.syncs,
          isCancelled: known.progress.cancellation != nil,
          isStopping: known.progress.shutdown != nil, kept: known.progress.kept)))
    return OpenJournal(writer, of: RunIdentifier(reader.header.run), known, program)
  }

  private func outputs(_ program: Program) -> JournaledOutputs {
    JournaledOutputs(program: program, coder: coder, largest: largestOutput)
  }

  // MARK: The file

  /// Waits until no other run uses the file, then locks the file and returns it.
  private func lockedFile(
    at place: String, until deadline: ContinuousClock.Instant
  ) async throws -> SystemFile {
    while true {
      let file = try access { () throws(SystemFile.Failure) in try SystemFile(place) }
      if try access({ () throws(SystemFile.Failure) in try file.lock() }) {
        // Another run may have set the file aside before this one got the lock.
        if file.isAtItsPath { return file }
      } else {
        guard ContinuousClock.now < deadline else { throw inUse(file) }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private func inUse(_ file: SystemFile) -> JournalError {
    var known = (try? file.read()).flatMap { try? JournalReader($0) }
    var process: Int32?
    while let entry = (try? known?.next())?.entry {
      // The last process of the run is the one that uses the file.
      if case .process(let identifier, _, _, _) = entry { process = identifier }
    }
    let who = process.map { "a run of the process \($0)" } ?? "another run"
    return JournalError(
      .inUse, path,
      "is in use by \(who) and stayed so for \(patience); give each run a file of its own")
  }

  private func access<Result>(
    _ action: () throws(SystemFile.Failure) -> Result
  ) throws(JournalError) -> Result {
    do throws(SystemFile.Failure) {
      return try action()
    } catch {
      throw JournalError(.inaccessible, path, error.clause)
    }
  }

  // MARK: The content

  private enum Found {
    case nothing
    case unfinished(JournalReader, JournalProgress)

    /// A run that is over, or that is to be set aside.
    case over
  }

  private func found(
    in bytes: [UInt8], of program: Program, _ logic: [UInt8], _ values: [GivenValue],
    _ targets: [any PebbleIdentifying]?
  ) throws(JournalError) -> Found {
    do throws(JournalReader.Fault) {
      guard var reader = try JournalReader(bytes) else { return .nothing }
      if JournalReader.isOver(bytes) { return .over }
      if reader.header.pond != logic { try checkLogic(reader.header, program) }
      var known = JournalProgress(of: program.pond, outputs(program))
      while let (entry, payload) = try reader.next() { try known.add(entry, payload) }
      if known.isOver { return .over }
      guard known.hasBegun else { return .nothing }
      known.finish(at: wallClock())
      try known.check()
      try checkInputs(known, program, values, targets)
      return .unfinished(reader, known)
    } catch {
      let error = JournalError(error, path)
      if error.kind.isOfOtherRun, otherRun == .startAnew { return .over }
      throw error
    }
  }

  /// Checks that the pond has the same logic as at the beginning of the run. Differences that
  /// cannot affect how the run continues, such as a changed timeout, are ignored.
  private func checkLogic(
    _ header: JournalHeader, _ program: Program
  ) throws(JournalReader.Fault) {
    if let difference = PondModel(program.pond).firstDifference(from: try header.model()) {
      throw .otherLogic(difference)
    }
  }

  /// Checks that the caller's values and targets are the same as at the beginning of the run.
  /// Values that the journal has not kept are not checked.
  private func checkInputs(
    _ known: JournalProgress, _ program: Program, _ values: [GivenValue],
    _ targets: [any PebbleIdentifying]?
  ) throws(JournalReader.Fault) {
    let names = targets.map { Set($0.map(\.pebbleID.description)) }
    if names != known.targets.map(Set.init) {
      let text = known.targets?.prefix(5).map { $0.shortName }.joined(separator: ", ")
      let rest = (known.targets?.count ?? 0) - 5
      throw .otherInput("it runs \(text ?? "all pebbles")\(rest > 0 ? " and \(rest) more" : "")")
    }
    for value in values {
      guard let pebble = program.pond.graph.position(of: value.pebble),
        let payload = known.givenPayloads[pebble],
        known.given[pebble]?.isSame(as: value.output) != true
      else { continue }
      if case .payload(let bytes) = outputs(program).kept(value.output, of: pebble),
        bytes.elementsEqual(payload)
      {
        continue
      }
      let name = program.pond.graph.names[pebble].shortLiteral
      throw .otherInput("it was given another value for \(name)")
    }
  }
}

extension JournalReader {
  /// Returns whether the last line is the entry for the end of the run.
  static func isOver(_ bytes: [UInt8]) -> Bool {
    guard bytes.last == JournalHeader.lineBreak else { return false }
    let text = bytes.dropLast()
    let start = text.lastIndex(of: JournalHeader.lineBreak).map { $0 + 1 } ?? text.startIndex
    guard let line = JournalLine(text[start...]), case .runFinished? = try? JournalEntry(line.entry)
    else {
      return false
    }
    return true
  }
}

extension JournalError {
  init(_ fault: JournalReader.Fault, _ path: String) {
    switch fault {
    case .notAJournal:
      self.init(
        .notAJournal, path,
        "is another kind of file; name a journal, or a file that does not exist")
    case .newerVersion(let version):
      self.init(
        .newerVersion, path,
        "has version \(version), but the newest known here is \(JournalHeader.version); "
          + "use a newer version of this library")
    case .damaged(let problem):
      self.init(
        .damaged, path,
        "is damaged: \(problem); move it away to start anew; everything then runs again")
    case .otherLogic(let difference):
      self.init(
        .otherLogic, path,
        "holds an unfinished run of another logic: \(difference); finish it with the program that "
          + "began it, or start anew with ifOther: .startAnew")
    case .otherInput(let difference):
      self.init(
        .otherInput, path,
        "holds an unfinished run with other input: \(difference); finish it with its own input, "
          + "or start anew with ifOther: .startAnew")
    case .otherOutput(let problem):
      let problem = problem.hasSuffix(".") ? String(problem.dropLast()) : problem
      self.init(
        .otherOutput, path,
        "\(problem); finish its run with the program that began it, or start anew with "
          + "ifOther: .startAnew")
    }
  }
}
