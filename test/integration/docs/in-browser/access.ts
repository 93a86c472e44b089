import { expect, test } from 'vitest';

import { GUIDE_NAMES } from '../../../../src/http/docs/pages/guides.ts';
import { BUILDERS } from '../../../../src/recipes/builders.ts';
import { sampleOf } from '../../../fixtures/full-run.ts';
import { chooseBuilder } from './form.ts';
import { MORE_VIEWS, expectFaultless, FEW_VIEWS, openAll, type Axe } from './look.ts';
import { withoutScripts, type Pages } from './pages.ts';

/** Every kind of page, which axe looks at. */
const KINDS: readonly (readonly [path: string, Axe])[] = [
  ['/', 'wide'],
  ['/docs', 'wide'],
  ['/docs/parse-args?tool=botghost', 'wide and narrow'],
  ['/docs/permissions', 'wide'],
  ['/docs/scale', 'wide'],
  ['/status', 'wide'],
  ['/nowhere', 'wide'],
];
/** Besides the pages of operations, which are seen after a call. */
const GUIDES = GUIDE_NAMES.map((name) => `/docs/${name}`).filter((path) =>
  KINDS.every(([kind]) => kind !== path),
);

/** What of a look the system leaves to a page, in colours that the page may choose. */
const LOOK = `(element) => {
  const style = getComputedStyle(element);
  const edges = ['top', 'right', 'bottom', 'left'].map((side) => {
    const [width, colour] = ['width', 'color'].map((part) => style.getPropertyValue('border-' + side + '-' + part));
    return width === '0px' ? '' : colour;
  });
  return [style.backgroundColor, ...edges].join(' ');
}`;

export function testAccess(pages: () => Pages): void {
  test('has no motion for readers who prefer none', async () => {
    const { page, reuse } = pages().desktop;
    await reuse('/docs/parse-args');
    const moves = () => page.evaluate('getComputedStyle(document.documentElement).scrollBehavior');
    expect(await moves()).toBe('auto');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await moves()).toBe('smooth');
  });

  test('has no faults after a failed call and in an open search either', async () => {
    const { page, reuse } = pages().desktop;
    await reuse('/docs/parse-args');
    await page.evaluate('sessionStorage.clear()');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.code-panel output[data-state=failed]').waitFor();
    await page.getByLabel('Paste what came back').fill('The field text is missing.');
    await page.getByRole('row', { name: 'The field … is missing.' }).waitFor();
    await expectFaultless(page, FEW_VIEWS, 'wide', '.code-panel, #wrong');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('webhook');
    await page.locator('dialog.search li').first().waitFor();
    await expectFaultless(page, FEW_VIEWS, 'wide', 'dialog.search');
    await page.keyboard.press('Escape');
  });

  // The pages of operations have shown recipes for most of the others.
  test.each(sampleOf(Object.keys(BUILDERS), 2))(
    'fits a recipe for %s, wide or narrow, with no faint text',
    async (builder) => {
      const { page, open } = pages().desktop;
      if (!page.url().includes('/docs/parse-args')) await open('/docs/parse-args');
      await chooseBuilder(page, builder);
      await openAll(page);
      await expectFaultless(page, FEW_VIEWS, 'full run');
    },
  );

  test.each(KINDS)(
    'has no faults on %s, wide or narrow, in light or dark, and the page fits',
    async (path, axe) => {
      const { page, arrive } = pages().desktop;
      await arrive(path);
      await openAll(page);
      await expectFaultless(page, MORE_VIEWS, axe);
    },
  );

  test.each(sampleOf(GUIDES, 3))(
    'fits %s, wide or narrow, with everything open and no faint text',
    async (path) => {
      const { url, desktop } = pages();
      await desktop.page.goto(url + path);
      await openAll(desktop.page);
      await expectFaultless(desktop.page, FEW_VIEWS, 'full run');
    },
  );

  test('is readable without scripts: parts that need one say so or are left out', async () => {
    const { page, arrive, complaints } = pages().desktop;
    await using _plain = await withoutScripts(page);
    await arrive('/docs/parse-args?tool=discordjs');
    expect(await page.locator('form noscript').innerText()).toContain('The form needs JavaScript.');
    for (const part of ['curl', 'await fetch(', 'requests.post(']) {
      expect(await page.locator('[data-request]').filter({ hasText: part }).isVisible()).toBe(true);
    }
    await page.locator('.steps').getByText("client.on('messageCreate'").waitFor();
    const needless = ['Send', 'Copy the request', 'Search', 'curl'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    for (const control of [...needless, page.getByLabel('My builder'), page.locator('#came')]) {
      expect(await control.isVisible()).toBe(false);
    }
    await page.locator('.bar').getByRole('link', { name: 'Status' }).click();
    // Or, after a pause of a busy machine, that lists are still being read: a page without scripts stays as it is.
    await page.getByRole('heading', { name: /^Everything works/ }).waitFor();
    await page.getByRole('link', { name: 'Quartermaster' }).click();
    await page.getByText('Deutsch').click();
    expect(await page.locator('.card:visible').filter({ hasText: '2 Std' }).count()).toBe(1);
    expect(await page.locator('.card:visible').filter({ hasText: '7d' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('leads without scripts from the choice of a builder to each of its recipes', async () => {
    const { page, arrive, complaints } = pages().desktop;
    await using _plain = await withoutScripts(page);
    await arrive('/docs');
    expect(await page.getByLabel('I build with').isVisible()).toBe(false);
    await page.locator('#setup').getByRole('link', { name: 'BotGhost' }).click();
    await page.getByRole('link', { name: 'First recipe for BotGhost' }).waitFor();
    await page.locator('.operations').getByRole('link', { name: 'role-members' }).click();
    await page.getByText('Recipe for BotGhost').waitFor();
    await page.locator('.sidebar').getByRole('link', { name: 'send', exact: true }).click();
    await page.getByText('Recipe for BotGhost').waitFor();
    await page.locator('#recipe').getByRole('link', { name: 'Another builder' }).click();
    await page.locator('#setup').getByRole('link', { name: 'Kite' }).click();
    await page.getByRole('link', { name: 'First recipe for Kite' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows the chosen element when the system chooses the colours', async () => {
    const { page, arrive, open } = pages().desktop;
    await arrive('/');
    await page.emulateMedia({ forcedColors: 'active' });
    const lookOf = (selector: string) =>
      page.evaluate<string>(`(${LOOK})(document.querySelector(${JSON.stringify(selector)}))`);
    const differ = async (chosen: string, other: string) => {
      expect([chosen, await lookOf(chosen)]).not.toEqual([chosen, await lookOf(other)]);
    };
    await differ('.lines label:has(:checked)', '.lines label:not(:has(:checked))');
    await open('/docs/parse-args');
    await differ('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]');
    await differ('.bar nav a[aria-current]', '.bar nav a:not([aria-current])');
    await differ('.sidebar a[aria-current=page]', '.sidebar a[href$="docs/send"]');
    await differ('.sidebar ul ul a[aria-current]', '.sidebar ul ul a:not([aria-current])');
    await page.keyboard.press('/');
    await page.keyboard.type('role');
    await page.locator('dialog.search li').nth(1).waitFor();
    await differ('.search li:first-child > a', '.search li:nth-child(2) > a');
    await differ('.search mark', '.search li span');
    await page.evaluate("location.hash = 'missing_field'");
    await differ('tr:target', 'tr:not(:target)');
  });
}
