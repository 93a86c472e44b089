// The search of all pages: one index of operations, fields, problems, tools and guides, fetched when it is first opened.
import { element } from './dom.js';
import { find, fold, wordsOf } from './find.js';

/** @typedef {import('./find.js').Entry} Entry */

/** What is shown before a found word. */
const LEAD = 40;
const SHOWN_MAX = 160;

/**
 * The part of a text that has a word, with all words marked.
 * @param {string} text
 * @param {string[]} asked folded
 */
function marked(text, asked) {
  // Letters that fold to another number of them would move the marks: then the text is searched as it is.
  const folded = fold(text);
  const low = folded.length === text.length ? folded : text.toLowerCase();
  const places = asked.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const first = Math.min(...places, text.length);
  const from =
    first < SHOWN_MAX - LEAD || first === text.length ? 0 : text.lastIndexOf(' ', first - LEAD) + 1;
  const shown = text.slice(from, from + SHOWN_MAX);
  const line = element('span', {}, from > 0 ? '… ' : '');
  let at = 0;
  for (;;) {
    const hits = asked.map((word) => ({ word, place: low.indexOf(word, from + at) - from }));
    const [next] = hits
      .filter(({ place }) => place >= 0 && place < shown.length)
      .sort((a, b) => a.place - b.place);
    if (next === undefined) break;
    const end = next.place + next.word.length;
    line.append(shown.slice(at, next.place), element('mark', {}, shown.slice(next.place, end)));
    at = end;
  }
  line.append(shown.slice(at), from + SHOWN_MAX < text.length ? ' …' : '');
  return line;
}

/** @param {string} root from the page to the start */
export function makeSearch(root) {
  const input = element('input', {
    type: 'search',
    'aria-label': 'Search operations, guides and problems',
    placeholder: 'Operation, guide, error code …',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const close = element('button', { type: 'button', class: 'quiet' }, 'Close');
  const count = element('p', { class: 'out-of-sight', role: 'status' });
  const list = element('ul', { 'aria-label': 'Found' });
  const none = element('p', { class: 'none soft' });
  const form = element('form', { method: 'dialog' }, input, close);
  const dialog = element('dialog', { class: 'search', 'aria-label': 'Search' }, form, count, list, none);
  document.body.append(dialog);

  /** @type {Promise<Entry[]> | null} */
  let loading = null;
  const load = () => {
    loading ??= fetch(`${root}docs/search.json`).then((response) => response.json());
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };

  async function show() {
    const typed = input.value;
    const index = await load().catch(() => null);
    if (typed !== input.value) return;
    const asked = wordsOf(typed);
    const found = index === null ? [] : find(index, typed);
    list.replaceChildren(
      ...found.map(([title, kind, address, text]) => {
        const link = element(
          'a',
          { href: root + address },
          marked(title, asked),
          element('em', {}, kind),
          marked(text, asked),
        );
        return element('li', {}, link);
      }),
    );
    count.textContent = `${found.length} found`;
    none.hidden = found.length > 0;
    none.textContent =
      index === null
        ? 'The service does not answer. Try again.'
        : `Nothing has “${typed}”. Try the name of an operation, a code such as rate_limited, or one word of the error.`;
  }

  input.addEventListener('input', () => void show());
  close.addEventListener('click', () => dialog.close());
  form.addEventListener('submit', (event) => event.preventDefault());
  // Plain links: the arrows walk through them, Enter in the box opens the first, a middle click opens a tab.
  dialog.addEventListener('keydown', (event) => {
    const stops = [input, ...list.querySelectorAll('a')];
    const at = stops.findIndex((each) => each === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && at >= 0) {
      event.preventDefault();
      stops[(at + step + stops.length) % stops.length]?.focus();
    } else if (event.key === 'Enter' && at === 0) {
      event.preventDefault();
      stops[1]?.click();
    } else if (event.key === 'Escape') {
      // A search box would only empty itself.
      event.preventDefault();
      dialog.close();
    }
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest('a') !== null)) dialog.close();
  });

  return () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    void show();
  };
}
