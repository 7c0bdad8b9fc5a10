import Hummingbird
import SitePages

/// What people see in the place of a page that there is not: the one place where that is written.
enum ErrorPage {
  /// Read once; without it, what is wrong is told in the shape for programs.
  private static let layout = try? SiteLayout()

  /// - Parameters:
  ///   - status: How the request went.
  ///   - message: A clause; it may be the words of a feed.
  /// - Returns: The page; `nil` if its files did not come with the program.
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
