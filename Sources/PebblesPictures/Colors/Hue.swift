/// A colour with a meaning, in one variant for light backgrounds and one for dark backgrounds.
///
/// The palette is by Okabe and Ito. Its hues can be told apart with any type of colour vision. The
/// hues are darkened or lightened until their contrast with the background is at least 4.5 for
/// text, and at least 3 for shapes. No meaning is conveyed by colour alone: there is always a
/// symbol, hatching or a dashed line as well.
struct Hue: Hashable {
  let name: String
  let light: String
  let dark: String

  /// Whether the colour is used for text.
  let isOfText: Bool

  private init(_ name: String, light: String, dark: String, isOfText: Bool = false) {
    self.name = name
    self.light = light
    self.dark = dark
    self.isOfText = isOfText
  }

  static let ground = Hue("ground", light: "#ffffff", dark: "#0d1117")
  static let text = Hue("text", light: "#1b1f24", dark: "#e6edf3", isOfText: true)
  static let soft = Hue("soft", light: "#59636e", dark: "#9198a1", isOfText: true)
  static let succeeded = Hue("succeeded", light: "#007a5a", dark: "#2bb58c", isOfText: true)
  static let failed = Hue("failed", light: "#b34a00", dark: "#f0803c", isOfText: true)
  static let skipped = Hue("skipped", light: "#6a737d", dark: "#8b949e", isOfText: true)
  static let limit = Hue("limit", light: "#8f6400", dark: "#e69f00")
  static let thread = Hue("thread", light: "#6a737d", dark: "#8b949e")
  static let cause = Hue("cause", light: "#0067a3", dark: "#56b4e9")

  /// The colour of lines that only guide the eye.
  static let guide = Hue("guide", light: "#d8dee4", dark: "#2b3138")

  /// The hues that must stand out against the background.
  static let seen: [Hue] = [text, soft, succeeded, failed, skipped, limit, thread, cause]
}
