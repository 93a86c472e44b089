// Passes a text about a message from one page to the next, where it fills the box for messages and answers.
import { isDiscordError } from './message-or-error.js';

const PASTED_ITEM = 'quartermaster-pasted';
/** The longest body that the service accepts. */
const LENGTH_MAX = 256 * 1024;

/** Passes a text to the next page in this tab, not in the URL, as it may contain secrets. @param {string} text */
export function handOver(text) {
  sessionStorage.setItem(PASTED_ITEM, text.slice(0, LENGTH_MAX));
}

/** Returns the text from the page before, and forgets it; empty without one. */
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
export function startSharedBox(box, handedOver) {
  const [sent = '', answered = ''] = (box.dataset['sharedBox'] ?? '').split(' ');
  const tell = () => {
    box.name = isDiscordError(box.value) ? answered : sent;
  };
  if (handedOver !== '') box.value = handedOver;
  box.addEventListener('input', tell);
  tell();
}
