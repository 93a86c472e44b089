// A virtual node: a part of a page that the service draws as HTML, and the browser as elements.

/**
 * @typedef {string | Element} VirtualNode
 * @typedef {{ readonly tag: string, readonly attributes: Readonly<Record<string, string>>, readonly children: readonly VirtualNode[] }} Element
 */

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string>>} attributes
 * @param {VirtualNode[]} children
 * @returns {Element}
 */
export const vnode = (tag, attributes, ...children) => ({ tag, attributes, children });
