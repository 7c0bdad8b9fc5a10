// Elements are made by hand and never from markup, so that a name cannot become an element.

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

/// Has an element say something. What it says already is not laid out again.
function setText(element, text) {
  if (element.firstChild?.data !== text) element.textContent = text;
}

function byID(id) { return document.getElementById(id); }

/// How wide texts are, in the page's own letters.
const measure = (() => {
  const widths = new Map();
  let context = null;
  return text => {
    if (!context) {
      context = document.createElement('canvas').getContext('2d');
      context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    }
    // Times repeat, errors seldom do.
    if (widths.size > 20000) widths.clear();
    if (!widths.has(text)) widths.set(text, context.measureText(text).width);
    return widths.get(text);
  };
})();

/// Calls an action when the page is drawn next, once, however often it is asked for.
function onceAFrame(action) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      action();
    });
  };
}
