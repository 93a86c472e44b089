// Helpers for all scripts of the pages.

/** From the page to the start. */
export const root = document.documentElement.dataset['root'] ?? '';

/**
 * An element with its attributes and its content. Texts stay texts.
 * @param {string} tag
 * @param {Readonly<Record<string, string>>} [attributes]
 * @param {(Node | string)[]} content
 */
export function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/**
 * Texts stay texts. The browser never reads them as HTML.
 * @param {import('./vnode.js').VirtualNode} vnode
 * @returns {Node | string}
 */
export function draw(vnode) {
  if (typeof vnode === 'string') return vnode;
  return element(vnode.tag, vnode.attributes, ...vnode.children.map(draw));
}

/**
 * The element that the page is known to have.
 * @template {Element} [Kind=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [from]
 * @returns {Kind}
 */
export function one(selector, from = document) {
  /** @type {Kind | null} */
  const found = from.querySelector(selector);
  if (found === null) throw new Error(`The page has no ${selector}`);
  return found;
}

/**
 * @template {Element} [Kind=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [from]
 * @returns {Kind[]}
 */
export function all(selector, from = document) {
  /** @type {NodeListOf<Kind>} */
  const found = from.querySelectorAll(selector);
  return [...found];
}

/**
 * @param {HTMLElement} output
 * @param {string} text
 * @param {'good' | 'failed' | 'busy' | ''} state
 */
export function say(output, text, state) {
  output.textContent = text;
  output.dataset['state'] = state;
}

/** A link may lead to a folded row. */
export function openTarget() {
  const folded = document.querySelector(':target')?.closest('details');
  if (!folded) return;
  folded.open = true;
  document.querySelector(':target')?.scrollIntoView();
}
