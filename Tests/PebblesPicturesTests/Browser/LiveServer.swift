import Foundation
import PebblesTestSupport

/// An HTTP server that sends a page the events of a test. It serves the file `page` at `/`, and
/// streams the file `events` at `/events` until a file `cut` exists.
final class LiveServer {
  static let howToInstall = "There is no Python: `apt-get install python3` adds it"
  static let isInstalled = python != nil

  private static let python = Program.path(of: "python3")

  private static let script = """
    import http.server, os, time
    class Answer(http.server.BaseHTTPRequestHandler):
      def log_message(self, *_): pass
      def head(self, kind):
        self.send_response(200)
        self.send_header('Content-Type', kind)
        self.send_header('Connection', 'close')
        self.end_headers()
      def do_GET(self):
        if self.path != '/events':
          self.head('text/html; charset=utf-8')
          return self.wfile.write(open('page', 'rb').read())
        if os.path.exists('cut'): return
        self.head('text/event-stream')
        self.wfile.write(b'retry: 50\\n\\n')
        with open('events', 'rb') as told:
          while not os.path.exists('cut'):
            text = told.read()
            try: self.wfile.write(text) if text else time.sleep(0.01)
            except OSError: return
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Answer)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  let address: String
  private let process = Process()
  private let folder: TemporaryFolder
  private var told = ""

  init(page: String) throws {
    folder = try TemporaryFolder()
    process.executableURL = URL(filePath: Self.python ?? "")
    process.arguments = ["-c", Self.script]
    process.currentDirectoryURL = URL(filePath: try folder.write("", to: "events"))
      .deletingLastPathComponent()
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.runAlone()
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    address = "http://127.0.0.1:\(port.trimmingCharacters(in: .whitespacesAndNewlines))/"
    try show(page)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func show(_ page: String) throws { _ = try folder.write(page, to: "page") }

  /// Sends an event to all connected pages.
  func tell(_ kind: String, _ data: String) throws {
    told += "event: \(kind)\ndata: \(data)\n\n"
    _ = try folder.write(told, to: "events")
  }

  /// Closes all connections, and refuses new ones until ``restore()`` is called.
  func cut() throws {
    _ = try folder.write("", to: "cut")
    told = ""
    _ = try folder.write("", to: "events")
  }

  func restore() throws {
    let cut = process.currentDirectoryURL?.appending(path: "cut")
    if let cut { try FileManager.default.removeItem(at: cut) }
  }
}
