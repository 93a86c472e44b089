// Times are in UTC in the page that the service sends; here they are in the zone of the reader.
import { all } from './dom.js';

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' });
for (const time of all('time')) {
  const { dateTime } = /** @type {HTMLTimeElement} */ (time);
  time.title = time.textContent ?? '';
  time.textContent = format.format(new Date(dateTime));
}
