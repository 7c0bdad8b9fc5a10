import Pebbles
import PebblesAnalysis

/// An entry of a journal. Pebbles are identified by name. Times are in nanoseconds since the start
/// of the run, except `wallTime`, which is in nanoseconds since 1970.
enum JournalEntry {
  /// The moment at which a process begins to work on the run.
  case process(identifier: Int32, wallTime: Int64, date: String, elapsed: UInt64)
  /// The requested pebbles. There is no such entry if all pebbles are run.
  case only([String])
  /// An output that was given to the run. The payload is the output; if the output cannot be kept,
  /// `missing` is the reason.
  case given(String, cases: [String], missing: String?)
  /// A marker that follows the entries for the inputs of the run. It lists the disabled pebbles.
  case began(disabled: [String])
  /// A call to a body, recorded just before the call is made.
  case called(String, attempt: Int, at: UInt64)
  /// A failed call to a body that will be called again at the time `next`.
  case failed(String, Call, next: UInt64)
  /// The end of a body that is not called again, or the moment at which a service is ready.
  case ended(End)
  /// A restarted service is ready, or a body that was called again has returned a new output to
  /// replace a lost one. The payload is the output; if the output cannot be kept, `missing` is the
  /// reason.
  case up(String, missing: String?, at: UInt64)
  /// The end of a ready service whose options allow it to end.
  case serviceEnded(String, at: UInt64)
  /// The decision of the pond's failure policy about a failed pebble.
  case decided(String, FailureDecision)
  /// The skip of a ready pebble that waited in vain for `holder`: a pebble that kept a resource, or
  /// a service that stays down.
  case skipped(String, holder: String, at: UInt64)
  /// A marker for a process that is being stopped and leaves the run to the next process. The
  /// bodies that are running are cancelled.
  case leaving
  /// The cancellation of the run; the payload is the reason.
  case cancelled(at: UInt64)
  /// The beginning of the shutdown, after all pebbles have settled; the payload is the reason.
  case stopping(at: UInt64)
  /// The result of a pebble's teardown. It is recorded when the teardown has ended, or when the
  /// shutdown stops waiting for the teardown or for the body.
  case tornDown(String, error: String?, at: UInt64)
  /// An error from tearing down a result that the pebble does not keep, such as an output that was
  /// returned too late.
  case lateTeardownFailed(String, error: String, at: UInt64)
  /// The end of the run, with nothing left to tear down.
  case runFinished(at: UInt64)
  /// The number of bytes, counted from the beginning of the journal, that are safely on the disk.
  case synced(Int)

  struct Call {
    let started: UInt64
    let finished: UInt64
    let error: String?
  }

  struct End {
    let pebble: String
    let started: UInt64
    let finished: UInt64
    let error: String?
    var cases: [String] = []
    var calls: [Call] = []
    var wasCancelled = false

    /// The reason why the output is not kept, worded to follow the pebble's name in a sentence;
    /// `nil` if the output is kept, or if there is no output.
    var missing: String?
  }
}

extension JournalEntry {
  /// The entry as a single line of JSON.
  var bytes: [UInt8] {
    var writer = JSONWriter(breaksLines: false)
    writer.object { writer in
      writer.member("entry", word)
      writeMembers(to: &writer)
    }
    return writer.bytes
  }

  private var word: String {
    switch self {
    case .process: "process"
    case .only: "only"
    case .given: "given"
    case .began: "began"
    case .called: "called"
    case .failed: "failed"
    case .ended: "ended"
    case .up: "up"
    case .serviceEnded: "left"
    case .decided: "decided"
    case .skipped: "skipped"
    case .leaving: "leaving"
    case .cancelled: "cancelled"
    case .stopping: "stopping"
    case .tornDown: "tornDown"
    case .lateTeardownFailed: "lateTeardownFailed"
    case .runFinished: "over"
    case .synced: "synced"
    }
  }

  private func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .process(let identifier, let wallTime, let date, let elapsed):
      writer.member("process", Int(identifier))
      writer.member("date", date)
      writer.key("wallTime")
      writer.value(wallTime)
      writer.time("elapsed", elapsed)
    case .only(let pebbles):
      writer.member("pebbles", pebbles)
    case .given(let pebble, let cases, let missing):
      writer.member("pebble", pebble)
      writer.cases(cases)
      writer.member("missing", missing)
    case .began(let disabled):
      writer.member("disabled", disabled)
    case .called(let pebble, let attempt, let time):
      writer.member("pebble", pebble)
      writer.member("attempt", attempt)
      writer.time("at", time)
    case .failed(let pebble, let call, let next):
      writer.member("pebble", pebble)
      writer.call(call)
      writer.time("next", next)
    case .ended(let end):
      write(end, to: &writer)
    case .up(let pebble, let missing, let time):
      writer.member("pebble", pebble)
      writer.time("at", time)
      writer.member("missing", missing)
    case .serviceEnded(let pebble, let time):
      writer.member("pebble", pebble)
      writer.time("at", time)
    case .decided(let pebble, let decision):
      writer.member("pebble", pebble)
      writer.member("decision", decision.word)
    case .skipped(let pebble, let holder, let time):
      writer.member("pebble", pebble)
      writer.member("holder", holder)
      writer.time("at", time)
    case .tornDown(let pebble, let error, let time):
      writer.member("pebble", pebble)
      writer.member("error", error)
      writer.time("at", time)
    case .lateTeardownFailed(let pebble, let error, let time):
      writer.member("pebble", pebble)
      writer.member("error", error)
      writer.time("at", time)
    case .cancelled(let time), .stopping(let time), .runFinished(let time):
      writer.time("at", time)
    case .synced(let bytes):
      writer.member("bytes", bytes)
    case .leaving:
      break
    }
  }

  private func write(_ end: End, to writer: inout JSONWriter) {
    writer.member("pebble", end.pebble)
    writer.member("outcome", end.error == nil ? "succeeded" : "failed")
    writer.cases(end.cases)
    writer.call(Call(started: end.started, finished: end.finished, error: end.error))
    if !end.calls.isEmpty {
      writer.member("attempts", end.calls) { call, writer in writer.object { $0.call(call) } }
    }
    if end.wasCancelled { writer.member("wasCancelled", true) }
    writer.member("missing", end.missing)
  }
}

extension JSONWriter {
  fileprivate mutating func time(_ key: String, _ time: UInt64) {
    self.key(key)
    value(time)
  }

  fileprivate mutating func cases(_ cases: [String]) {
    if !cases.isEmpty { member("cases", cases) }
  }

  fileprivate mutating func call(_ call: JournalEntry.Call) {
    time("started", call.started)
    time("at", call.finished)
    member("error", call.error)
  }
}

extension FailureDecision {
  /// The word that represents the decision in the journal.
  var word: String {
    switch self {
    case .goOn: "goOn"
    case .cancelAll: "cancelAll"
    case .cancelUnlessHandled: "cancelUnlessHandled"
    }
  }
}
