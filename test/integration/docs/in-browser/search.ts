import { expect, test } from 'vitest';

import type { Pages } from './pages.ts';

export function testSearch(pages: () => Pages): void {
  test('keeps every letter that is typed right after its key, however slowly its script arrives', async () => {
    const { desktop: reader } = pages();
    const { page } = reader;
    await reader.arrive('/docs/operate');
    const typed = Promise.withResolvers<void>();
    await page.route('**/search.js*', (route) => typed.promise.then(() => route.continue()));
    await page.keyboard.press('/');
    await page.keyboard.type('docker');
    expect(await page.getByText('Searching …').isVisible()).toBe(true);
    typed.resolve();
    const found = page.locator('dialog.search li');
    await found.first().getByText('Container').waitFor();
    expect(await page.locator('dialog.search input').inputValue()).toBe('docker');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('dialog.search').isVisible()).toBe(false);
    await page.unroute('**/search.js*');
    expect(reader.complaints).toEqual([]);
  });

  test('opens with a key, marks the word, and is used with the keyboard alone', async () => {
    const { desktop: reader } = pages();
    const { page } = reader;
    await reader.reuse('/docs/operate');
    await page.keyboard.press('/');
    const found = page.locator('dialog.search li');
    await page.keyboard.type('docker');
    await found.first().getByText('Container').waitFor();
    expect(await found.first().locator('mark').first().textContent()).toMatch(/docker/i);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = await found.nth(1).locator('a').getAttribute('href');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(second);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog.search').isVisible()).toBe(false);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rate_limited');
    await found.first().getByText('Problem 429').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${pages().url}/docs#rate_limited`);
    await page.waitForSelector('html[data-ready]');
    await page.keyboard.press('/');
    await page.keyboard.type('xyzzy');
    await page.getByText('Nothing contains “xyzzy”.').waitFor();
    await page.locator('dialog.search input').fill('timeuot');
    await page.getByText(/^Nothing contains “timeuot”\. \d+ found for “timeout”$/).waitFor();
    await page.locator('dialog.search input').fill('error 50013');
    await page.getByText(/^\d+ found$/).waitFor();
    expect(reader.complaints).toEqual([]);
  });
}
