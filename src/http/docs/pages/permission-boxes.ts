import { permissionLabel } from '../../../operations/permissions/permission-labels.ts';
import { PERMISSIONS } from '../../../operations/permissions/permission-table.ts';
import { copyButton } from './highlighted-code.ts';
import { html, type Markup } from './layout.ts';

/** Check boxes that make a bit field, and the link that adds a bot with these permissions. */
export function permissionBoxes(): Markup {
  return html`<p>Tick what a bot may do, and copy the number or the link that adds it to a server.</p>
    <div data-permissions>
      <div class="columns">
        <div class="field">
          <label for="invite-application">Application id</label>
          <input
            type="text"
            id="invite-application"
            inputmode="numeric"
            autocomplete="off"
            aria-describedby="invite-hint"
          />
          <p class="hint" id="invite-hint">From the page of your app in the Discord developer portal.</p>
        </div>
        <div class="stack">${made('invite-bitfield', 'Bit field')} ${made('invite-link', 'Invite link')}</div>
      </div>
      <fieldset class="boxes">
        <legend>Permissions</legend>
        ${PERMISSIONS.map(
          ({ name, bit }) =>
            html`<label class="tick"
              ><input type="checkbox" data-bit="${bit}" /> <span>${permissionLabel(name, 'en')}</span></label
            >`,
        )}
      </fieldset>
      <noscript><p class="hint">The boxes need JavaScript.</p></noscript>
    </div>`;
}

function made(id: string, label: string): Markup {
  return html`<div>
    <strong>${label}</strong>
    <span class="pair"
      ><output id="${id}" class="mono"></output>${copyButton(`the ${label.toLowerCase()}`)}</span
    >
  </div>`;
}
