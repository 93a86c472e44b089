import type { SeenMessage } from '../../../recipes/recipe.ts';
import { readMessage, type MessagePart } from '../assets/discord-markdown.js';
import { html, Markup } from './html.ts';

/** Messages drawn as Discord draws them. */
export function discordMessages(label: string, messages: readonly SeenMessage[]): Markup {
  return html`<ol class="chat" aria-label="${label}">
    ${messages.map(discordMessage)}
  </ol>`;
}

function discordMessage({ from, text, image }: SeenMessage): Markup {
  const who =
    from === 'user'
      ? html`<span class="who">You</span>`
      : html`<span class="who">Your ${from} <small>APP</small></span>`;
  return html`<li class="message ${from}">
    ${who}
    <div class="said">${readMessage(text).map(draw)}</div>
    ${image === null ? null : html`<img src="${image}" alt="A picture" />`}
  </li>`;
}

function draw(part: MessagePart): Markup | string {
  if (typeof part === 'string') return part;
  const attributes = Object.entries(part.attributes).map(([name, value]) => html` ${name}="${value}"`);
  const tag = new Markup(part.tag);
  return html`<${tag}${attributes}>${part.children.map(draw)}</${tag}>`;
}
