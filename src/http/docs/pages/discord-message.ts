import type { SeenMessage } from '../../../recipes/recipe.ts';
import { readMessage, type MessagePart } from '../assets/discord-markdown.js';
import { html, Markup } from './html.ts';

const PERSON = new Markup(
  '<svg viewBox="0 0 40 40" aria-hidden="true"><path fill="#6b4f8f" d="M0 0h40v40H0z"/><circle cx="20" cy="16" r="7" fill="#e9dcf5"/><path d="M6 40c1-10 7-14 14-14s13 4 14 14z" fill="#e9dcf5"/></svg>',
);
const BOT = new Markup(
  '<svg viewBox="0 0 40 40" aria-hidden="true"><path fill="#47551c" d="M0 0h40v40H0z"/><path fill="#fff" d="M10 10h6v6h-6zm7 0h6v6h-6zm7 0h6v6h-6zm-14 7h6v6h-6zm14 0h6v6h-6zm-14 7h6v6h-6zm7 0h6v6h-6z"/><path fill="#f2c14e" d="M25.500 25.500h6v6h-6z"/></svg>',
);

function isUse({ from, text }: SeenMessage): boolean {
  return from === 'user' && text.startsWith('/');
}

/** Messages drawn as Discord draws them. A slash command is above the answer to it. */
export function discordMessages(label: string, messages: readonly SeenMessage[]): Markup {
  return html`<ol class="chat" aria-label="${label}">
    ${messages.map((message, index) => {
      const before = messages[index - 1];
      return isUse(message)
        ? null
        : discordMessage(message, before !== undefined && isUse(before) ? before.text : null);
    })}
  </ol>`;
}

function discordMessage({ from, text, image }: SeenMessage, used: string | null): Markup {
  return html`<li>
    ${from === 'user' ? PERSON : BOT}
    <span class="who">${from === 'user' ? 'Mara' : html`Your ${from} <span class="app">APP</span>`}</span>
    ${used !== null && html`<span class="used">Mara used ${drawMessage(used)}</span>`}
    <div class="said">${drawMessage(text)}</div>
    ${image !== null && html`<img src="${image}" alt="A picture" />`}
  </li>`;
}

/** A text as Discord shows it. */
export function drawMessage(text: string): Markup {
  return html`${readMessage(text).map(draw)}`;
}

function draw(part: MessagePart): Markup | string {
  if (typeof part === 'string') return part;
  const attributes = Object.entries(part.attributes).map(([name, value]) => html` ${name}="${value}"`);
  const tag = new Markup(part.tag);
  return html`<${tag}${attributes}>${part.children.map(draw)}</${tag}>`;
}
