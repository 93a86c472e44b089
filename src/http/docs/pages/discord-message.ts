import type { SeenMessage } from '../../../recipes/recipe.ts';
import { readMessage } from '../assets/operation/discord-markdown.js';
import { draw, html, type Markup } from './layout.ts';

function isUse({ from, text }: SeenMessage): boolean {
  return from === 'user' && text.startsWith('/');
}

/** Messages as Discord shows them. A slash command is above the answer to it. */
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
  return html`<li class="${from}">
    <span class="who">${from === 'user' ? 'Mara' : html`Your ${from} <span class="app">APP</span>`}</span>
    ${used !== null && html`<span class="used">Mara used ${drawMessage(used)}</span>`}
    <div class="message-text">${drawMessage(text)}</div>
    ${image !== null && html`<img src="${image}" alt="A picture" />`}
  </li>`;
}

/** A text as Discord shows it. */
function drawMessage(text: string): Markup {
  return html`${readMessage(text).map(draw)}`;
}
