// For every page: the search, the list of sections, and Copy.
import { startCopying } from './copy.js';
import { all, one } from './dom.js';

/** @type {HTMLDialogElement} */
const search = one('dialog.search');
/** @type {HTMLInputElement} */
const searched = one('input', search);

/** Opens before its script has loaded. Text that is typed meanwhile stays in the field. */
function openSearch() {
  if (search.open) return;
  search.showModal();
  searched.select();
  void import('./search/search.js');
}

function startSearch() {
  one('.find').addEventListener('click', openSearch);
  addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    const isAsked =
      (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!isAsked) return;
    event.preventDefault();
    openSearch();
  });
}

/**
 * Open at the left on a wide screen, one line on a narrow one.
 * @param {HTMLDetailsElement} sidebar
 */
function startSidebar(sidebar) {
  const wide = matchMedia('(min-width: 60.01rem)');
  const fit = () => {
    sidebar.open = wide.matches;
  };
  wide.addEventListener('change', fit);
  fit();
  sidebar.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) fit();
  });
  sidebar.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    fit();
    one('summary', sidebar).focus();
  });

  const here = sidebar.querySelector('[data-here]');
  // The current section is the last one whose heading has passed the upper third.
  const mark = () => {
    /** @type {HTMLAnchorElement[]} */
    const links = all('ul ul a', sidebar);
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const tops = links.map(
      ({ hash }) =>
        document.getElementById(decodeURIComponent(hash.slice(1)))?.getBoundingClientRect().top ?? Infinity,
    );
    const now = isAtEnd
      ? links.at(-1)
      : (links[tops.findLastIndex((top) => top < innerHeight / 3)] ?? links[0]);
    for (const link of links) {
      if (link === now) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    if (here !== null) here.textContent = now?.textContent ?? '';
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  addEventListener('resize', mark);
  mark();
}

startSearch();
startCopying();
const sidebar = document.querySelector('.sidebar');
if (sidebar instanceof HTMLDetailsElement) startSidebar(sidebar);
