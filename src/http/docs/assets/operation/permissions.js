// Check boxes that make a bit field and an invite link. Bits go beyond 53, so numbers are BigInt.
import { all, one } from '../dom.js';

const boxes = one('[data-permissions]');
/** @type {HTMLInputElement} */
const application = one('#invite-application');

function refresh() {
  let bits = 0n;
  for (const box of all('[data-bit]:checked', boxes)) bits |= 1n << BigInt(box.dataset['bit'] ?? 0);
  one('#invite-bitfield').textContent = String(bits);
  const id = application.value.trim();
  one('#invite-link').textContent = /^\d{17,20}$/.test(id)
    ? `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot+applications.commands&permissions=${bits}`
    : '';
}

boxes.addEventListener('input', refresh);
refresh();
