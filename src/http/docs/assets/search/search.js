// The search of all pages: one index of operations, fields, problems, builders and guides, fetched when it is first
// opened.
import { element, one, root } from '../dom.js';
import { find, fold, tellingWords, understand } from './find.js';

/** Characters that are shown before a found word. */
const LEAD = 40;
/** Characters that are shown of an entry. */
const SHOWN_MAX = 160;

/** @type {HTMLDialogElement} */
const dialog = one('dialog.search');
/** @type {HTMLInputElement} */
const input = one('input', dialog);
const list = one('ul', dialog);
const outcome = one('[role=status]', dialog);

/**
 * The part of a text that has a word, with all words marked.
 * @param {string} text
 * @param {string[]} asked folded, with those that mean the same
 */
function marked(text, asked) {
  // If folding changes the length of the text, the marks would be misplaced, so the text is searched unfolded.
  const folded = fold(text);
  const low = folded.length === text.length ? folded : text.toLowerCase();
  const words = asked.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`));
  // Without words, the expression would match everywhere.
  const word = new RegExp(`(${words.join('|') || '(?!)'})`);
  const first = low.search(word);
  const from = first < SHOWN_MAX - LEAD ? 0 : text.lastIndexOf(' ', first - LEAD) + 1;
  const line = element('span', {}, from > 0 ? '… ' : '');
  let at = from;
  for (const [index, piece] of low
    .slice(from, from + SHOWN_MAX)
    .split(word)
    .entries()) {
    const shown = text.slice(at, at + piece.length);
    line.append(index % 2 === 1 ? element('mark', {}, shown) : shown);
    at += piece.length;
  }
  line.append(at < text.length ? ' …' : '');
  return line;
}

/** @type {Promise<import('./find.js').Entry[] | null> | null} */
let loading = null;
function load() {
  loading ??= fetch(`${root}docs/search.json`)
    .then((response) => response.json())
    .catch(() => {
      loading = null;
      return null;
    });
  return loading;
}

async function show() {
  const typed = input.value;
  const index = await load();
  if (typed !== input.value) return;
  const words = understand(index ?? [], typed);
  const asked = words.flat();
  const found = index === null ? [] : find(index, typed, words);
  list.replaceChildren(
    ...found.map(([title, kind, path, text]) => {
      const parts = [marked(title, asked), element('em', {}, kind), marked(text, asked)];
      return element('li', {}, element('a', { href: root + path }, ...parts));
    }),
  );
  const nothing =
    index === null
      ? 'The service does not answer. Try again.'
      : `Nothing contains “${typed}”. Try the name of an operation, a code such as rate_limited, or one word of the error.`;
  const meant = words.map(([word]) => word).join(' ');
  const isOther =
    meant !==
    tellingWords(typed)
      .map(([word]) => word)
      .join(' ');
  const some = isOther
    ? `Nothing contains “${typed}”. ${found.length} found for “${meant}”`
    : `${found.length} found`;
  outcome.textContent = found.length > 0 ? some : nothing;
}

input.addEventListener('input', () => void show());
// Plain links: the arrows walk through them, Enter in the box opens the first, a middle click opens a tab.
dialog.addEventListener('keydown', (event) => {
  const stops = [input, ...list.querySelectorAll('a')];
  const at = stops.findIndex((each) => each === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && at >= 0) {
    event.preventDefault();
    stops[(at + step + stops.length) % stops.length]?.focus();
  } else if (event.key === 'Enter' && at === 0) {
    stops[1]?.click();
  }
});
dialog.addEventListener('click', ({ target }) => {
  if (target === dialog || (target instanceof Element && target.closest('a') !== null)) dialog.close();
});
void show();
