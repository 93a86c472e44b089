// What went wrong: shows the codes of an operation that occur in what the reader pasted.
import { all, one } from './dom.js';

export function startWrong() {
  /** @type {HTMLInputElement} */
  const input = one('#came');
  const count = one('[data-wrong-count]');
  const rows = all('[data-problems] tbody tr');
  input.addEventListener('input', () => {
    const asked = input.value.toLowerCase().trim();
    const named = rows.filter(({ id }) => asked.includes(id));
    const found =
      named.length > 0 ? named : rows.filter(({ textContent }) => textContent?.toLowerCase().includes(asked));
    for (const row of rows) row.hidden = !found.includes(row);
    const text =
      found.length === 0
        ? 'No problem of this operation contains that.'
        : `${found.length} of ${rows.length}`;
    count.textContent = asked === '' ? '' : text;
  });
}
