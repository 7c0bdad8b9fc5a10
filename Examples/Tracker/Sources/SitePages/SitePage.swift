/// What is on a page of the site.
public struct SitePage: Sendable {
  /// The pages that all others lead to, in the order in which they stand.
  public enum Place: String, Sendable, CaseIterable {
    /// What there is to see today.
    case home

    /// All launches, to search in.
    case launches

    /// The people.
    case people

    /// How the site booted.
    case boot

    /// What it is called.
    public var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Where it is.
    public var address: String {
      switch self {
      case .home: "/"
      case .launches: "/search"
      case .people: "/people"
      case .boot: "/boot"
      }
    }

    /// The digit that leads to it.
    var key: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  }

  /// A link to another page.
  public struct Link: Sendable {
    let name: String
    let address: String

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - name: What it says.
    ///   - address: Where it leads.
    public init(_ name: String, to address: String) {
      (self.name, self.address) = (name, address)
    }
  }

  /// Why there is less to see on the site than there might be.
  public struct Notice: Sendable {
    /// The class of its box: `stale` or `failed`.
    public let kind: String

    /// Some words, and a full stop.
    public let title: String

    /// The reason, and what is left.
    public let sentence: String

    /// Where it is shown what happened.
    public let address: String

    /// Makes a notice.
    ///
    /// - Parameters:
    ///   - kind: The class of its box.
    ///   - title: Some words, and a full stop.
    ///   - sentence: The reason, and what is left.
    ///   - address: Where it is shown what happened.
    public init(kind: String, title: String, sentence: String, address: String) {
      (self.kind, self.title, self.sentence, self.address) = (kind, title, sentence, address)
    }
  }

  /// What the page is called, in the window and in lists of windows.
  public var title: String

  /// Which of the pages in the navigation it is, or is part of; `nil` if none.
  public var place: Place?

  /// What is said above the content, unless the content says it.
  public var notice: Notice?

  /// What is between the navigation and the end of the page: the inside of `<main id="content">`.
  public var content: Markup

  /// The addresses of more styles.
  public var styles: [String]

  /// The addresses of scripts, all of them modules.
  public var scripts: [String]

  /// The class of the body; `whole` for a page that is as high as its window and scrolls inside.
  public var kind: String

  /// Whether a script says, by taking `aria-busy` from the body, when the page is there.
  public var isBusy: Bool

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - title: What it is called.
  ///   - place: Where in the navigation it is.
  ///   - notice: What is said above the content.
  ///   - content: What is on it.
  ///   - styles: The addresses of more styles.
  ///   - scripts: The addresses of scripts.
  ///   - kind: The class of the body.
  ///   - isBusy: Whether a script says when it is there.
  public init(
    title: String, place: Place? = nil, notice: Notice? = nil, content: Markup,
    styles: [String] = [], scripts: [String] = [], kind: String = "", isBusy: Bool = false
  ) {
    (self.title, self.place, self.notice, self.content) = (title, place, notice, content)
    (self.styles, self.scripts, self.kind, self.isBusy) = (styles, scripts, kind, isBusy)
  }
}
