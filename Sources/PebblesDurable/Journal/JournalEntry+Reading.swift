import Pebbles
import PebblesAnalysis

extension JournalEntry {
  /// Creates an entry from its JSON.
  ///
  /// - Throws: ``JSONError`` if the bytes are not an entry.
  init(_ bytes: ArraySlice<UInt8>) throws(JSONError) {
    let root = try JSONDocument(bytes, limits: .none).root
    guard let kind = root["entry"] else { throw root.fault("this is not a journal entry") }
    switch try kind.string() {
    case "process":
      let fields = try root.object(["entry", "process", "date", "wallTime", "elapsed"])
      self = .process(
        identifier: try fields.required("process").integer(in: 0 ... .max),
        wallTime: try fields.required("wallTime").integer(in: .min ... .max),
        date: try fields.required("date").string(), elapsed: try fields.time("elapsed"))
    case "only":
      let pebbles = try root.object(["entry", "pebbles"]).texts("pebbles")
      if pebbles.isEmpty { throw root.fault("no pebble is requested") }
      self = .only(pebbles)
    case "given":
      let fields = try root.object(["entry", "pebble", "cases", "missing"])
      self = .given(
        try fields.text("pebble"), cases: try fields.texts("cases", orNone: true),
        missing: try fields["missing"]?.string())
    case "began":
      self = .began(disabled: try root.object(["entry", "disabled"]).texts("disabled"))
    case "called":
      let fields = try root.object(["entry", "pebble", "attempt", "at"])
      self = .called(
        try fields.text("pebble"), attempt: try fields.required("attempt").integer(in: 1 ... .max),
        at: try fields.time("at"))
    case "failed":
      let fields = try root.object(["entry", "pebble", "started", "at", "error", "next"])
      self = .failed(try fields.text("pebble"), try fields.call(), next: try fields.time("next"))
    case "ended":
      self = .ended(try End(root))
    default:
      self = try Self.rare(root, kind)
    }
  }

  private static func rare(
    _ root: JSONValue, _ kind: JSONValue
  ) throws(JSONError) -> JournalEntry {
    switch try kind.string() {
    case "up":
      let fields = try root.object(["entry", "pebble", "at", "missing"])
      return .up(
        try fields.text("pebble"), missing: try fields["missing"]?.string(),
        at: try fields.time("at"))
    case "left":
      let fields = try root.object(["entry", "pebble", "at"])
      return .serviceEnded(try fields.text("pebble"), at: try fields.time("at"))
    case "decided":
      let fields = try root.object(["entry", "pebble", "decision"])
      let (value, all) = (
        try fields.required("decision"),
        [.goOn, .cancelAll, .cancelUnlessHandled] as [FailureDecision]
      )
      let word = try value.string()
      guard let decision = all.first(where: { $0.word == word }) else {
        throw value.fault("there is no decision of this kind")
      }
      return .decided(try fields.text("pebble"), decision)
    case "skipped":
      let fields = try root.object(["entry", "pebble", "holder", "at"])
      return .skipped(
        try fields.text("pebble"), holder: try fields.text("holder"), at: try fields.time("at"))
    case "leaving":
      _ = try root.object(["entry"])
      return .leaving
    case "cancelled":
      return .cancelled(at: try root.object(["entry", "at"]).time("at"))
    case "stopping":
      return .stopping(at: try root.object(["entry", "at"]).time("at"))
    case "tornDown":
      let fields = try root.object(["entry", "pebble", "error", "at"])
      return .tornDown(
        try fields.text("pebble"), error: try fields["error"]?.string(), at: try fields.time("at"))
    case "lateTeardownFailed":
      let fields = try root.object(["entry", "pebble", "error", "at"])
      return .lateTeardownFailed(
        try fields.text("pebble"), error: try fields.text("error"), at: try fields.time("at"))
    case "over":
      return .runFinished(at: try root.object(["entry", "at"]).time("at"))
    case "synced":
      let fields = try root.object(["entry", "bytes"])
      return .synced(try fields.required("bytes").integer(in: 0 ... .max))
    default:
      throw kind.fault("there is no entry of this kind")
    }
  }
}

extension JournalEntry.End {
  fileprivate init(_ root: JSONValue) throws(JSONError) {
    let fields = try root.object([
      "entry", "pebble", "outcome", "cases", "started", "at", "error", "attempts", "wasCancelled",
      "missing",
    ])
    let call = try fields.call()
    let outcome = try fields.required("outcome")
    let word = try outcome.string()
    guard word == (call.error == nil ? "succeeded" : "failed") else {
      throw outcome.fault("it should be \"failed\" if there is an \"error\", or \"succeeded\"")
    }
    self.init(
      pebble: try fields.text("pebble"), started: call.started, finished: call.finished,
      error: call.error, cases: try fields.texts("cases", orNone: true),
      wasCancelled: try fields["wasCancelled"]?.bool() ?? false,
      missing: try fields["missing"]?.string())
    if let attempts = fields["attempts"] {
      for attempt in try attempts.elements() {
        calls.append(try attempt.object(["started", "at", "error"]).call())
      }
    }
  }
}

extension JSONObject {
  fileprivate func text(_ key: StaticString) throws(JSONError) -> String {
    try required(key).string()
  }

  fileprivate func time(_ key: StaticString) throws(JSONError) -> UInt64 {
    try required(key).integer(in: 0 ... .max)
  }

  fileprivate func call() throws(JSONError) -> JournalEntry.Call {
    JournalEntry.Call(
      started: try time("started"), finished: try time("at"), error: try self["error"]?.string())
  }

  fileprivate func texts(
    _ key: StaticString, orNone: Bool = false
  ) throws(JSONError) -> [String] {
    if orNone, self[key] == nil { return [] }
    var texts: [String] = []
    for text in try required(key).elements() { texts.append(try text.string()) }
    return texts
  }
}
