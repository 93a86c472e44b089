import { expect, test } from 'vitest';

import { quickOrFull } from '../../../fixtures/full-run.ts';
import { withoutScripts, type Pages } from './pages.ts';

/** Where sections of the old reference are now. */
const MOVED = [
  ['parse-args', 'docs/parse-args'],
  ['text-splitter', 'docs/text-splitter'],
  ['send', 'docs/send'],
  ['send-look', 'docs/send#answer'],
  ['invite', 'docs/permission-encoder#invite'],
  ['revoke-key', 'docs/api#your-key'],
  ['live', 'status'],
  ['ready', 'status'],
] as const;
/** Those that are on the page of all operations. */
const KEPT = ['tool', 'key', 'answers', 'limits', 'options', 'codes'];

/** Follows each link within the page, and returns where it leads, or '' where it stays. The page is not left. */
const FOLLOW_EACH = `async (names) => {
  let left = '';
  const notice = (event) => {
    if (event.hashChange) return;
    left = event.destination.url;
    event.preventDefault();
  };
  navigation.addEventListener('navigate', notice);
  const found = [];
  for (const name of names) {
    left = '';
    const arrived = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = name;
    await arrived;
    found.push(left);
  }
  navigation.removeEventListener('navigate', notice);
  return found;
}`;

export function testOldLinks(pages: () => Pages): void {
  test.each(
    [
      ['/docs/reference#send-look', '/docs/send#answer'] as const,
      ['/docs?tool=botghost#text-splitter', '/docs/text-splitter?tool=botghost'] as const,
    ].slice(0, quickOrFull(1, 2)),
  )('leads from %s to %s', async (from, to) => {
    const { url, desktop } = pages();
    await desktop.arrive(from);
    await desktop.page.waitForURL(url + to);
    const { hash } = new URL(desktop.page.url());
    expect(await desktop.page.locator(hash === '' ? 'h1' : hash).count()).toBe(1);
    expect(desktop.complaints).toEqual([]);
  });

  test('leads from every section of the old reference to where that is now', async () => {
    const { url, desktop } = pages();
    await desktop.arrive('/docs/reference');
    expect(desktop.page.url()).toBe(`${url}/docs`);
    await desktop.page.waitForSelector('html[data-ready]');
    const names = JSON.stringify([...MOVED.map(([name]) => name), ...KEPT]);
    const found = await desktop.page.evaluate<string[]>(`(${FOLLOW_EACH})(${names})`);
    expect(found).toEqual([...MOVED.map(([, to]) => `${url}/${to}`), ...KEPT.map(() => '')]);
    const places = [...found.filter((to) => to !== ''), ...KEPT.map((name) => `${url}/docs#${name}`)];
    const lost: string[] = [];
    for (const place of places) {
      const text = await (await fetch(place, { headers: { accept: 'text/html' } })).text();
      const { hash } = new URL(place);
      if (!text.includes(hash === '' ? '<h1' : ` id="${hash.slice(1)}"`)) lost.push(place);
    }
    expect(lost).toEqual([]);
    expect(desktop.complaints).toEqual([]);
  });

  test('leads to the line of an operation when there is no script', async () => {
    const { url, desktop } = pages();
    await using _plain = await withoutScripts(desktop.page);
    await desktop.arrive('/docs/reference#parse-args');
    expect(desktop.page.url()).toBe(`${url}/docs#parse-args`);
    expect(await desktop.page.locator('#parse-args').getByRole('link').getAttribute('href')).toBe(
      'docs/parse-args',
    );
  });
}
