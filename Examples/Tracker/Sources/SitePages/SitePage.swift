/// The content of a page of the site.
public struct SitePage: Sendable {
  /// A page in the navigation. The cases are in the order of the navigation.
  public enum Place: String, Sendable, CaseIterable {
    /// The page with the next and the latest launches, and some of the cores and people.
    case home

    /// The launch search, which initially shows all launches.
    case launches

    /// The people list.
    case people

    /// The site's boot.
    case boot

    /// The name of the page.
    public var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The address of the page.
    public var address: String {
      switch self {
      case .home: "/"
      case .launches: "/search"
      case .people: "/people"
      case .boot: "/boot"
      }
    }

    /// The digit key that opens the page.
    var key: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  }

  /// A link to another page.
  public struct Link: Sendable {
    let name: String
    let address: String

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - name: The text of the link.
    ///   - address: The address of the link.
    public init(_ name: String, to address: String) {
      (self.name, self.address) = (name, address)
    }
  }

  /// A notice that explains why the site is stale or offline.
  public struct Notice: Sendable {
    /// The class of the notice's box: `stale` or `failed`.
    public let kind: String

    /// A short title, with a full stop.
    public let title: String

    /// The reason, and what is still shown.
    public let sentence: String

    /// The address of a page that shows what happened.
    public let address: String

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - kind: The class of the notice's box.
    ///   - title: A short title, with a full stop.
    ///   - sentence: The reason, and what is still shown.
    ///   - address: The address of a page that shows what happened.
    public init(kind: String, title: String, sentence: String, address: String) {
      (self.kind, self.title, self.sentence, self.address) = (kind, title, sentence, address)
    }
  }

  /// The title of the page, shown in the window's title bar and in lists of windows.
  public var title: String

  /// The page that the navigation marks as the current page; `nil` if no page is marked.
  public var place: Place?

  /// The notice above the content; `nil` if there is no notice, or if the content shows the notice.
  public var notice: Notice?

  /// The content of `<main id="content">`, between the navigation and the end of the page.
  public var content: Markup

  /// The addresses of additional style sheets.
  public var styles: [String]

  /// The addresses of scripts, all of which are modules.
  public var scripts: [String]

  /// The class of the body; `whole` for a page that is as high as its window and scrolls inside.
  public var kind: String

  /// Whether a script removes `aria-busy` from the body when the page is complete.
  public var isBusy: Bool

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - title: The title of the page.
  ///   - place: The page that the navigation marks as the current page.
  ///   - notice: The notice above the content.
  ///   - content: The content of the page.
  ///   - styles: The addresses of additional style sheets.
  ///   - scripts: The addresses of scripts.
  ///   - kind: The class of the body.
  ///   - isBusy: Whether a script marks the page as complete.
  public init(
    title: String, place: Place? = nil, notice: Notice? = nil, content: Markup,
    styles: [String] = [], scripts: [String] = [], kind: String = "", isBusy: Bool = false
  ) {
    (self.title, self.place, self.notice, self.content) = (title, place, notice, content)
    (self.styles, self.scripts, self.kind, self.isBusy) = (styles, scripts, kind, isBusy)
  }
}
