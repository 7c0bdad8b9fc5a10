import Foundation
import Pebbles

/// The page of a boot under way. Its script and its style are its own, and all it asks for is
/// `events` below itself, wherever that is; when the boot is over it loads itself again, and is the
/// inspector page then.
struct LivePage {
  private let status: RunStatus

  init(_ status: RunStatus) {
    self.status = status
  }

  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'self'; \
    img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'">
    <title>The boot, under way</title>
    <link rel="icon" href="data:,">
    <style>\(Self.style)</style>
    <h1>The boot, under way</h1>
    <p id="summary" role="status">\(status.settled) of \(status.total) settled</p>
    <table><thead><tr><th>Pebble<th>is</thead><tbody id="pebbles"></tbody></table>
    <p><a id="graph" href="boot.dot">The graph</a></p>
    <script>\(Self.script)</script>
    </html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
    body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
    table { border-collapse: collapse; width: 100% }
    th { text-align: left; font-weight: 600 }
    td, th { padding: .2rem .6rem; border-bottom: 1px solid #8884; vertical-align: top }
    td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums }
    [data-kind=waiting], [data-kind=skipped] { opacity: .65 }
    [data-kind=running] td:first-child { border-left: 4px solid #d90 }
    [data-kind=succeeded] td:first-child { border-left: 4px solid #2a6 }
    [data-kind=failed] td:first-child { border-left: 4px solid #c33 }
    """

  /// Text only ever goes in as text, whatever pebbles and errors are called.
  private static let script = """
    "use strict";
    const rows = new Map();
    const body = document.getElementById("pebbles");
    const summary = document.getElementById("summary");

    function show(name, kind, words) {
      let row = rows.get(name);
      if (!row) {
        row = body.insertRow();
        row.insertCell().textContent = name;
        row.insertCell();
        rows.set(name, row);
      }
      row.dataset.kind = kind;
      row.cells[1].textContent = words;
    }

    function tell() {
      const settled = body.querySelectorAll(
        "[data-kind=succeeded], [data-kind=failed], [data-kind=skipped]").length;
      summary.textContent = `${settled} of ${rows.size} settled`;
    }

    const here = location.pathname.replace(/\\/+$/, "");
    document.getElementById("graph").href = `${here}.dot`;
    const events = new EventSource(`${here}/events`);
    const on = (name, react) =>
      events.addEventListener(name, event => react(JSON.parse(event.data)));

    on("status", status => {
      rows.clear();
      body.replaceChildren();
      for (const pebble of status.pebbles) {
        const { state } = pebble;
        const why = state.error ?? state.waitingFor?.join(", ");
        show(pebble.name, state.kind, why ? `${state.kind}: ${why}` : state.kind);
      }
      tell();
    });
    on("ready", event => show(event.pebble, "ready", "ready"));
    on("attemptStarted", event => show(event.pebble, "running",
      event.attempt > 1 ? `running, attempt ${event.attempt}` : "running"));
    on("attemptFailed", event =>
      show(event.pebble, "running", `attempt ${event.attempt} failed: ${event.error}`));
    on("settled", event => {
      const { outcome, error } = event;
      show(event.pebble, outcome, error ? `${outcome}: ${error}` : outcome);
      tell();
    });
    on("shutdownBegan", () => { summary.textContent = "Being shut down."; });
    on("over", () => location.reload());
    events.onerror = () => { summary.textContent = "No answer; trying again."; };
    """
}
