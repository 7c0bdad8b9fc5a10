import Hummingbird
import SitePages

/// The page shown to people instead of a page that cannot be shown.
enum ErrorPage {
  /// The layout, read once; `nil` if its files are missing. Errors are then sent as JSON.
  private static let layout = try? SiteLayout()

  /// Returns a page that explains an error.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - message: The message, without an initial capital letter or a full stop. It may quote a
  ///     feed.
  /// - Returns: The page; `nil` if its files were not bundled with the program.
  static func response(_ status: HTTPResponse.Status, _ message: String) -> Response? {
    let sentence = message.prefix(1).uppercased() + message.dropFirst() + "."
    return layout?.errorPage(status, title(status), sentence)
  }

  private static func title(_ status: HTTPResponse.Status) -> String {
    switch status {
    case .notFound: "There is nothing here"
    case .methodNotAllowed: "This cannot be done here"
    case .serviceUnavailable: "Not at the moment"
    case .internalServerError: "Something went wrong"
    default: status.reasonPhrase
    }
  }
}
