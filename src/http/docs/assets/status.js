// The page that the service sends has times in UTC; here they change to the reader's time zone.
import { all } from './dom.js';

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' });
for (const time of all('time')) {
  const { dateTime } = /** @type {HTMLTimeElement} */ (time);
  time.title = time.textContent ?? '';
  time.textContent = format.format(new Date(dateTime));
}
