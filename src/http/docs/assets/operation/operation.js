// The page of an operation: its form, the request and the answer beside it, and the recipe for the reader's builder.
import { startAnswer } from './answer.js';
import { all, one, openTarget } from '../dom.js';
import { currentKey, describeKey, isOfNoServer } from '../key.js';
import { fillOwnServer, startRequest } from './request.js';
import { startSharedBox, takeOver } from '../what-went-wrong/pasted.js';
import { refreshRecipe, startRecipe } from './recipe.js';
import { buildsWithoutCode, startBuilder } from '../builder.js';

const LANGUAGE_ITEM = 'quartermaster-language';

/** @type {HTMLFormElement} */
const form = one('[data-operation]');

function showKeyState() {
  const lack = isOfNoServer() ? (form.dataset['needs'] ?? '') : '';
  for (const place of all('[data-key-state]')) place.textContent = describeKey() + lack;
}

/** The explanation of most fields is in the page once, in their table. */
function explainFields() {
  for (const row of all('#fields tbody tr')) {
    const hint = document.getElementById(`field-${one('th', row).textContent}-hint`);
    if (hint?.textContent === '') hint.append(...one('td:last-child', row).cloneNode(true).childNodes);
  }
}

function startWrong() {
  /** @type {HTMLTextAreaElement} */
  const pasted = one('#came');
  pasted.addEventListener('input', () => {
    void import('../what-went-wrong/explain.js').then(({ explain }) => explain(pasted));
  });
}

/** Runs once, because the service does not know which builder the reader chose earlier. The page does not move later. */
function putRecipeFirst() {
  const tried = one('#try');
  const recipe = document.querySelector('[data-recipe]')?.closest('section');
  if (!recipe || !buildsWithoutCode()) return;
  if (recipe.compareDocumentPosition(tried) === Node.DOCUMENT_POSITION_FOLLOWING) return;
  tried.before(recipe, one('#see'));
  one('.sidebar a[href="#see"]')
    .closest('li')
    ?.after(one('.sidebar a[href="#try"]').closest('li') ?? '');
}

/** As the service writes it for a URL with the builder in it. */
function showTitle() {
  document.title = `${one('h1').textContent} for ${one('[data-builder-name]').textContent} · Quartermaster`;
}

/** The languages of the request: one is chosen for all pages. */
function startTabs() {
  const tabs = all('[role=tab]');
  /** @param {HTMLElement | undefined} chosen */
  const show = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      one(`#${tab.getAttribute('aria-controls')}`).hidden = tab !== chosen;
    }
  };
  for (const tab of tabs) {
    const choose = () => {
      show(tab);
      localStorage.setItem(LANGUAGE_ITEM, tab.id);
    };
    tab.addEventListener('click', choose);
    tab.addEventListener('focus', choose);
    tab.addEventListener('keydown', ({ key }) => {
      const step = Number(key === 'ArrowRight') - Number(key === 'ArrowLeft');
      if (step !== 0) tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]?.focus();
    });
  }
  show(tabs.find(({ id }) => id === localStorage.getItem(LANGUAGE_ITEM)) ?? tabs[0]);
}

/** @type {HTMLTextAreaElement | null} */
const sharedBox = form.querySelector('[data-shared-box]');
// Read on every page, so that an old text does not stay when the reader goes to another page.
const handedOver = takeOver();
if (sharedBox !== null) startSharedBox(sharedBox, handedOver);
explainFields();
startTabs();
fillOwnServer(form);
startRequest(form);
startAnswer(form);
startRecipe();
startBuilder(() => {
  refreshRecipe();
  showTitle();
});
putRecipeFirst();
openTarget();
addEventListener('hashchange', openTarget);
startWrong();
showKeyState();
// A key that was pasted on a page before this one was checked there.
if (currentKey() !== '' && form.querySelector('[data-own-server]') !== null) {
  const { checkKey } = await import('../key-check.js');
  await checkKey();
  fillOwnServer(form);
  showKeyState();
}
if (document.querySelector('[data-permissions]') !== null) void import('./permissions.js');
if (/_id=/.test(location.search)) await import('./fill.js');
document.documentElement.dataset['ready'] = '';
