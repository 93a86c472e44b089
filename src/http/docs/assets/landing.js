// The lines of the start page: the service has taken them apart already.
import { all } from './dom.js';

for (const group of all('[data-lines]')) {
  group.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    for (const line of all('[data-line]')) line.hidden = line.dataset['line'] !== target.value;
  });
}
