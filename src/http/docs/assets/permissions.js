// Check boxes that make a bit field and an invite link. Bits go beyond 53, so numbers are BigInt.
import { copy } from './recipes.js';

const form = document.querySelector('[data-permissions]');
const bitfield = document.getElementById('invite-bitfield');
const application = document.getElementById('invite-application');
const link = document.getElementById('invite-link');

function refresh() {
  let bits = 0n;
  for (const box of form.querySelectorAll('[data-bit]:checked')) bits |= 1n << BigInt(box.dataset.bit);
  bitfield.value = String(bits);
  const id = application.value.trim();
  link.value = /^\d{17,20}$/.test(id)
    ? `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot+applications.commands&permissions=${bits}`
    : '';
}

export function startPermissions() {
  form.addEventListener('input', refresh);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('click', ({ target }) => {
    const input = target.closest('[data-copy]')?.closest('[data-copyable]').querySelector('input');
    if (input) void copy(input.value, input, form.querySelector('output'));
  });
  refresh();
}
