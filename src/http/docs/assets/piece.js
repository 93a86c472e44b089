// A part of a page that both can render: the service as HTML, and the browser as elements.

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
