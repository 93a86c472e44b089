// The languages of the request: one is chosen for all pages.
import { all, one } from './dom.js';

const LANGUAGE_ITEM = 'quartermaster-language';
const STEPS = new Map([
  ['ArrowRight', 1],
  ['ArrowLeft', -1],
]);

export function startTabs() {
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
      const step = STEPS.get(key);
      if (step !== undefined) tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]?.focus();
    });
  }
  show(tabs.find(({ id }) => id === localStorage.getItem(LANGUAGE_ITEM)) ?? tabs[0]);
}
