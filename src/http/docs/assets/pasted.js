// What somebody pasted about a message: its way from one page to the next, and into the box that takes either.
import { isAnswer } from './message-or-answer.js';

const PASTED_ITEM = 'quartermaster-pasted';
/** The service takes no longer bodies. */
const LENGTH_MAX = 256 * 1024;

/** Gives a text to the next page in this tab. It may hold secrets, so it goes into no address. @param {string} text */
export function handOver(text) {
  sessionStorage.setItem(PASTED_ITEM, text.slice(0, LENGTH_MAX));
}

/** What the page before handed over, which is then kept nowhere; empty for nothing. */
export function takeOver() {
  const text = sessionStorage.getItem(PASTED_ITEM) ?? '';
  sessionStorage.removeItem(PASTED_ITEM);
  return text;
}

/**
 * The name of the box follows what is in it.
 * @param {HTMLTextAreaElement} box
 * @param {string} handedOver
 */
export function startOneBox(box, handedOver) {
  const [sent = '', answered = ''] = (box.dataset['oneBox'] ?? '').split(' ');
  const tell = () => {
    box.name = isAnswer(box.value) ? answered : sent;
  };
  if (handedOver !== '') box.value = handedOver;
  box.addEventListener('input', tell);
  tell();
}
