import type { Status, StatusPart, Outage } from '../../endpoints/status-history.ts';
import { pageSection, html, layOut, type Markup } from './layout.ts';
import type { Site } from '../documents-options.ts';

/** The page version of `/health/ready`, with the changes since the start. */
export function statusPage(status: Status, site: Site): string {
  const { parts, startedAt, checkedAt, lastOutage } = status;
  const title = titleOf(status);
  return layOut({
    title: 'Status · Quartermaster',
    description: title,
    site,
    path: '/status',
    root: '',
    at: 'status',
    script: 'status.js',
    body: html`<main class="wide narrow" id="main">
      <header>
        <h1>${title}</h1>
        <p class="lead">
          Version ${site.version} started on ${time(startedAt)}. Last looked at on ${time(checkedAt)}.
        </p>
      </header>
      <ul class="parts" aria-label="Parts">
        ${parts.map(partRow)}
      </ul>
      ${pageSection({
        id: 'last',
        title: 'Last trouble',
        body: html`${lastOutage === null ? html`<p>None since the start.</p>` : describeOutage(lastOutage)}
          <p class="soft small">The service remembers this since its start.</p>`,
      })}
      ${pageSection({
        id: 'programs',
        title: 'For programs',
        body: html`<p>
          The same as JSON, with 503 when calls cannot be taken:
          <a href="health/ready"><code>health/ready</code></a
          >. Whether the process is running: <a href="health/live"><code>health/live</code></a
          >.
        </p>`,
      })}
    </main>`,
  });
}

function titleOf({ readiness, parts, isReadingLists }: Status): string {
  if (readiness.problem !== null) return 'The service takes no calls at the moment.';
  if (parts.some(({ works }) => !works)) return 'The service works, but not all of it.';
  return isReadingLists
    ? 'Everything works; the member lists of some servers are still being read.'
    : 'Everything works.';
}

function partRow({ name, works, sentence, since }: StatusPart): Markup {
  return html`<li>
    <span class="dot${works ? '' : ' away'}"></span><strong>${name}</strong><span>${sentence}</span>
    <span class="soft">${works ? 'since' : 'away since'} ${time(since)}</span>
  </li>`;
}

function describeOutage({ part, sentence, from, to }: Outage): Markup {
  return html`<p>
    <strong>${part}, from ${time(from)} ${to === null ? 'until now' : html`to ${time(to)}`}:</strong>
    ${sentence}
  </p>`;
}

/** In UTC; the page shows it in the zone of its reader. */
function time(ms: number): Markup {
  const said = new Date(ms).toLocaleString('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${new Date(ms).toISOString()}">${said.replace(' at ', ', ')} UTC</time>`;
}
