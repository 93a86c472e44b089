import { permissionLabel } from '../../../operations/permissions/permission-labels.ts';
import { PERMISSIONS } from '../../../operations/permissions/permission-table.ts';
import { html, type Markup } from './html.ts';

/** Check boxes that make a bit field, and the link that adds a bot with these permissions. */
export function permissionBoxes(): Markup {
  return html`<section id="invite" aria-labelledby="invite-title">
    <h2 id="invite-title">Permissions and invite link</h2>
    <p class="lead">Tick what a bot may do, and copy the number or the link that adds it to a server.</p>
    <form class="try" data-permissions>
      <div class="made">
        <div class="field">
          <label for="invite-bitfield">Bit field</label>
          <span data-copyable
            ><input id="invite-bitfield" readonly value="0" /><button
              type="button"
              class="quiet small"
              data-copy
              aria-label="Copy the bit field"
            >
              Copy
            </button></span
          >
        </div>
        <div class="field">
          <label for="invite-application">Application id</label>
          <input
            id="invite-application"
            inputmode="numeric"
            autocomplete="off"
            aria-describedby="invite-hint"
          />
          <p class="hint" id="invite-hint">From the page of your app in the Discord developer portal.</p>
        </div>
        <div class="field">
          <label for="invite-link">Invite link</label>
          <span data-copyable
            ><input id="invite-link" readonly /><button
              type="button"
              class="quiet small"
              data-copy
              aria-label="Copy the invite link"
            >
              Copy
            </button></span
          >
        </div>
      </div>
      <p><output></output></p>
      <fieldset>
        <legend>Permissions</legend>
        ${PERMISSIONS.map(
          ({ name, bit }) =>
            html`<label class="check"
              ><input type="checkbox" data-bit="${bit}" /> <span>${permissionLabel(name, 'en')}</span></label
            >`,
        )}
      </fieldset>
    </form>
  </section>`;
}
