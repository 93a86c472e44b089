import type { SeenMessage } from '../../recipes/seen-in-discord.ts';
import { html, type Markup } from './html.ts';

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
      : html`<span class="who">Your bot <small>APP</small></span>`;
  return html`<li class="message ${from}">
    ${who}<span class="said">${text}</span>${
      image === null ? null : html`<img src="${image}" alt="A picture" />`
    }
  </li>`;
}
