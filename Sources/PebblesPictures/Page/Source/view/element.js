// Functions that create elements. They never use markup, so that a name cannot become an element.

const svgNamespace = 'http://www.w3.org/2000/svg';

function element(tag, attributes = {}, ...content) {
  return filled(document.createElement(tag), attributes, content);
}

function drawing(tag, attributes = {}, ...content) {
  return filled(document.createElementNS(svgNamespace, tag), attributes, content);
}

function filled(made, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...content);
  return made;
}

/// Sets the text of an element. If the element already has this text, its layout is not repeated.
function setText(element, text) {
  if (element.firstChild?.data !== text) element.textContent = text;
}

function byID(id) { return document.getElementById(id); }

/// Returns the width of a text in the font of the page.
const measure = (() => {
  const widths = new Map();
  let context = null;
  return text => {
    if (!context) {
      context = document.createElement('canvas').getContext('2d');
      context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    }
    // The widths are kept, because times are often repeated. They are limited, because errors
    // seldom are.
    if (widths.size > 20000) widths.clear();
    if (!widths.has(text)) widths.set(text, context.measureText(text).width);
    return widths.get(text);
  };
})();

/// Returns a function that requests an action for the next frame. Several requests for one frame
/// perform the action once.
function onceAFrame(action) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      action();
    });
  };
}
