/// Browsers do not make an element as high as half a million rows, so the scroll bar of a long list
/// is for a shorter one. Near both ends a pixel is a pixel, so that nothing is out of reach there;
/// between them it stands for more.
export const mostScrollHeight = 4_000_000, edge = 200_000;

export class Scale {
  /// `total` is how high the list is, `viewport` how much of it is seen.
  constructor(total, viewport) {
    this.scrollHeight = Math.min(total, mostScrollHeight);
    this.lastScroll = Math.max(0, this.scrollHeight - viewport);
    this.lastTop = Math.max(0, total - viewport);
    this.isTrue = this.scrollHeight === total;
    this.ratio = (this.lastTop - 2 * edge) / (this.lastScroll - 2 * edge);
  }

  /// Where in the list the view begins if the scroll bar is at a place.
  top(scroll) {
    if (this.isTrue || scroll <= edge) return this.within(scroll);
    const left = this.lastScroll - scroll;
    if (left <= edge) return this.within(this.lastTop - left);
    return this.within(edge + (scroll - edge) * this.ratio);
  }

  /// Where the scroll bar belongs if the view begins at a place in the list.
  scroll(top) {
    if (this.isTrue || top <= edge) return top;
    if (top >= this.lastTop - edge) return this.lastScroll - (this.lastTop - top);
    return edge + (top - edge) / this.ratio;
  }

  within(top) { return Math.max(0, Math.min(top, this.lastTop)); }
}
