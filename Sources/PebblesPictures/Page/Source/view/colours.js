// The colours of the page for canvases, which have no style: light or dark, and always light on
// paper.

const colours = {
  known: null,

  /// Returns the colour with a name, or the colour for an end, from the style of the page.
  of(name) {
    this.known ??= new Map();
    if (!this.known.has(name)) {
      const style = getComputedStyle(document.documentElement);
      const own = name === 'blocked' ? 'failed' : name;
      this.known.set(name, style.getPropertyValue(`--${own}`).trim());
    }
    return this.known.get(name);
  },

  /// Performs an action whenever the colours have changed, and before and after printing.
  whenChanged(action) {
    const change = () => {
      this.known = null;
      action();
    };
    for (const feature of ['prefers-color-scheme: dark', 'forced-colors: active']) {
      matchMedia(`(${feature})`).addEventListener('change', change);
    }
    for (const [event, isPaper] of [['beforeprint', true], ['afterprint', false]]) {
      addEventListener(event, () => {
        // The browser sends this event before it applies the style for paper.
        document.documentElement.classList.toggle('paper', isPaper);
        change();
      });
    }
  },
};

/// Returns the fill for an end. Failures are hatched, so that they can be distinguished without
/// colours.
function fillOf(context, style) {
  if (style !== 'failed') return colours.of(style);
  const hatch = colours.known?.get('hatch') ?? hatched(context);
  colours.known.set('hatch', hatch);
  return hatch;
}

function hatched(context) {
  const tile = document.createElement('canvas'), size = tile.width = tile.height = 6;
  const own = tile.getContext('2d');
  own.fillStyle = colours.of('failed');
  own.fillRect(0, 0, size, size);
  own.strokeStyle = colours.of('background');
  own.lineWidth = 1.4;
  for (const x of [-size, 0, size]) {
    own.moveTo(x - 1, size + 1);
    own.lineTo(x + size + 1, -1);
  }
  own.stroke();
  return context.createPattern(tile, 'repeat');
}
