import type { SeenMessage } from '../../../recipes/recipe.ts';
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
    ${who}<span class="said">${drawMentions(text)}</span>${
      image === null ? null : html`<img src="${image}" alt="A picture" />`
    }
  </li>`;
}

/** A mention of a user shows a name, as in Discord. */
function drawMentions(text: string): Markup {
  const pieces = text.split(/(<@!?\d+>)/);
  return html`${pieces.map((piece, index) =>
    index % 2 === 1 ? html`<span class="mention">@Someone</span>` : piece,
  )}`;
}
