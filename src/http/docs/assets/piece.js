// A piece of a page that is drawn in both places: by the service as HTML, and by the browser as elements.

/**
 * @typedef {string | Element} Piece
 * @typedef {{ readonly tag: string, readonly attributes: Readonly<Record<string, string>>, readonly children: readonly Piece[] }} Element
 */

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string>>} attributes
 * @param {Piece[]} children
 * @returns {Element}
 */
export const piece = (tag, attributes, ...children) => ({ tag, attributes, children });
