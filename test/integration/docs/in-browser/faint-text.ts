/**
 * Evaluated in a page: texts with too little contrast to what is behind them, each pair of colours once, as WCAG 1.4.3
 * counts it. It knows only colours and opacity: axe, which looks at what lies over what, takes a hundred times as long.
 */
export const FIND_FAINT_TEXT = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const read = (colour) => {
    if (!known.has(colour)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  /** The colour of the surface and the opacity of what is on it; no colour where there is a picture. */
  const grounds = new Map();
  const groundOf = (element) => {
    if (element === null) return { colour: read('Canvas'), opacity: 1 };
    const found = grounds.get(element);
    if (found !== undefined) return found;
    const style = getComputedStyle(element);
    const below = groundOf(element.parentElement);
    const own = read(style.backgroundColor);
    const isHidden = style.backgroundImage !== 'none' || (below.colour === null && own[3] < 1);
    const ground = { colour: isHidden ? null : over(own, below.colour ?? own), opacity: below.opacity * style.opacity };
    grounds.set(element, ground);
    return ground;
  };
  const light = (colour) => {
    const [x, y, z] = colour.slice(0, 3).map((each) => each / 255)
      .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const faint = new Map();
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (seen.has(element) || walker.currentNode.data.trim() === '') continue;
    seen.add(element);
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest(':disabled, [aria-disabled=true], noscript') !== null) continue;
    const style = getComputedStyle(element);
    const { colour: ground, opacity } = groundOf(element);
    if (ground === null) continue;
    const [r, g, b, a] = read(style.color);
    const [one, other] = [light(over([r, g, b, a * opacity], ground)), light(ground)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < least - 0.005) faint.set(style.color + ' on ' + ground.map(Math.round), [ratio.toFixed(2), element.outerHTML.slice(0, 120)]);
  }
  return seen.size < 5 ? ['no text was found'] : [...faint];
})()`;
