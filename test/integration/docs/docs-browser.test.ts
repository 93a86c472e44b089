import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import { isBrowserMissing, launchBrowser, visit, type Visit } from './docs-browser.ts';
import { expectedAnswer, openExampleService, type ExampleService } from '../recipes/example-service.ts';

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true } as const;

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');
const openAll = (page: Page) =>
  page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");

describe.skipIf(isBrowserMissing())('in a browser', () => {
  let service: ExampleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await openExampleService();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const openDocs = (options = {}) => visit(browser, service.url, '/docs', options);

  /** A reader who has entered a key and opened everything, for all forms one after the other. */
  let withKey: Visit;
  beforeAll(async () => {
    withKey = await openDocs();
    await useKey(withKey.page);
    await openAll(withKey.page);
  });

  async function useKey(page: Page, key = service.key): Promise<string> {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Use and check' }).click();
    const output = page.locator('[data-key-form] output:not([data-state=busy])[data-state]');
    return (await output.textContent()) ?? '';
  }

  test('the documents load without a word in the console and without a request to anybody else', async () => {
    await using reader = await openDocs();
    await reader.page.waitForSelector('html[data-ready]');
    const headings = await reader.page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).toEqual([
      'Your tool',
      'Your key',
      ...OPERATIONS.map(({ name }) => name),
      'Permissions and invite link',
      'Answers and errors',
      'Limits',
    ]);
    expect(reader.complaints).toEqual([]);
  });

  test('checks a key, keeps it in the tab alone, and forgets it', async () => {
    await using reader = await openDocs();
    const { page } = reader;
    expect(await useKey(page)).toMatch(/^“test 1” of server \d+ works, \d+ calls left this minute\.$/);
    const other = await page.context().newPage();
    await other.goto(`${service.url}/docs`);
    expect(await other.getByLabel('API key').inputValue()).toBe('');
    expect(
      await page.evaluate('JSON.stringify([localStorage, document.cookie, location.href])'),
    ).not.toContain('qm_');
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe(service.key);
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(reader.complaints).toEqual([]);
  });

  test('says what is wrong with a key, also one with a letter that no header can carry', async () => {
    await using reader = await openDocs();
    expect(await useKey(reader.page, 'qm_half')).toContain('401 key_malformed');
    expect(await useKey(reader.page, 'qm_ж')).toContain('“ж” is in no key.');
    const form = reader.page.locator('form[data-operation="permission-encoder"]');
    await form.getByRole('button', { name: 'Send' }).click();
    expect(await form.locator('output').textContent()).toContain('“ж” is in no key.');
  });

  test.each([
    ['Bearer before it', (key: string) => `Bearer ${key}`],
    ['the whole header', (key: string) => `Authorization: Bearer ${key}`],
    ['quotes', (key: string) => `"${key}"`],
    ['typographic quotes and a line break', (key: string) => `“${key}”\n`],
    ['a code block', (key: string) => `\`\`\`${key}\`\`\``],
  ])('understands a key that was pasted with %s', async (_what, paste) => {
    await using reader = await openDocs();
    const { page } = reader;
    expect(await useKey(page, paste(service.key))).toMatch(/^“test 1” of server \d+ works/);
    expect(await page.getByLabel('API key').inputValue()).toBe(service.key);
    await page.locator('form[data-operation="permissions"] [type=submit]').click();
    await page.waitForSelector('form[data-operation="permissions"] output[data-state=good]');
    expect(reader.complaints).toEqual([]);
  });

  test('takes back that a key is missing as soon as there is one', async () => {
    await using reader = await openDocs();
    const { page } = reader;
    const forms = ['permission-encoder', 'text-splitter'].map((name) =>
      page.locator(`form[data-operation="${name}"]`),
    );
    for (const form of forms) {
      await form.getByRole('button', { name: 'Send' }).click();
      await form.getByText('Paste your key first.').waitFor();
    }
    await useKey(page);
    for (const form of forms) expect(await form.locator('output').textContent()).toBe('');
  });

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'runs %s with the values that stand there',
    async (name, operation) => {
      const { page, complaints } = withKey;
      const form = page.locator(`form[data-operation="${name}"]`);
      for (const [field, value] of Object.entries(service.inputOf(operation))) {
        const text = [value].flat().join(', ');
        const control = form.locator(`[name="${field}"]`);
        if ((await control.locator('option').count()) > 0) await control.selectOption(text);
        else await control.fill(text);
      }
      if (operation.secretHeader !== null) {
        await form.locator('[data-secret]').fill(service.secretOf(operation));
      }
      await form.getByRole('button', { name: 'Send' }).click();
      const outcome = form.locator('output:not([data-state=busy])[data-state]');
      expect(await outcome.textContent()).toMatch(/^200 in \d+ ms, \d+ calls left this minute$/);
      const answer = JSON.parse((await form.locator('.answer').textContent()) ?? '') as Record<
        string,
        unknown
      >;
      expect(answer).toEqual(expectedAnswer(operation.example));
      expect(await form.locator('.answer img').count()).toBe('data_uri' in answer ? 1 : 0);
      expect(complaints).toEqual([]);
    },
  );

  test('shows a failure with its code, and asks for a key when there is none', async () => {
    await using reader = await openDocs();
    const { page } = reader;
    const form = page.locator('form[data-operation="permission-encoder"]');
    await form.getByRole('button', { name: 'Send' }).click();
    expect(await form.locator('output').textContent()).toBe('Paste your key first.');
    await form.getByRole('link', { name: 'Paste your key first.' }).click();
    expect(page.url()).toBe(`${service.url}/docs#key`);
    await useKey(page);
    await form.locator('[name=permissions]').fill('FLY');
    await form.getByRole('button', { name: 'Send' }).click();
    const outcome = form.locator('output[data-state=failed]');
    await outcome.filter({ hasText: '400 unknown_permission' }).waitFor();
    // An output element is a polite live region: a screen reader says what happens in it.
    expect(await form.getByRole('status').count()).toBe(1);
  });

  test('fills the recipe with the tool, the key and the values of the reader', async () => {
    await using reader = await openDocs();
    const { page } = reader;
    await useKey(page);
    const recipe = page.locator('[data-recipe="text-splitter"]');
    const code = recipe.locator('pre code');
    await page.getByLabel('I build with').selectOption('curl');
    await openAll(page);
    await page.locator('form[data-operation="text-splitter"] [name=max_length]').fill('77');
    await code.filter({ hasText: '"max_length":77' }).waitFor();
    // Somebody who looks over a shoulder sees no key, but a copy holds it.
    expect(await code.textContent()).toContain(`${service.key.slice(0, 6)}••••••`);
    expect(await page.content()).not.toContain(service.key);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await recipe.getByRole('button', { name: 'Copy' }).click();
    await recipe.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(service.key);
    await page.locator('form[data-operation="text-splitter"] [name=text]').fill('it\'s "mine"');
    await recipe.getByLabel('as typed').check();
    await code.filter({ hasText: String.raw`it'\''s \"mine\"` }).waitFor();
    // The other recipes follow the choice of the tool.
    await page.locator('[data-recipe="parse-args"] code').filter({ hasText: 'curl' }).waitFor();
    expect(await page.locator('[data-recipe]').count()).toBe(RECIPE_OPERATIONS.length);
    expect(reader.complaints).toEqual([]);
  });

  test('shows chunks as Discord does, hides a spoiler until it is pressed, and makes no HTML of a text', async () => {
    await using reader = await openDocs();
    const { page } = reader;
    await useKey(page);
    const form = page.locator('form[data-operation="text-splitter"]');
    const text =
      '# Big\n> quoted **bold**\n||the butler||\n```js\nlet a = 1;\n```\n<img src=x onerror=alert(1)>';
    const seen = page.locator('[data-recipe="text-splitter"] .chat');
    const seenBefore = await seen.first().elementHandle();
    await form.locator('[name=text]').fill(text);
    await form.getByRole('button', { name: 'Send' }).click();
    const said = form.locator('.message .said');
    await said.locator('.heading-1').filter({ hasText: 'Big' }).waitFor();
    expect(await said.locator('blockquote strong').textContent()).toBe('bold');
    expect(await said.locator('pre code').textContent()).toBe('let a = 1;');
    expect(await said.textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await said.locator('img').count()).toBe(0);
    const hidden = said.getByText('the butler');
    expect(await hidden.isVisible()).toBe(false);
    await said.getByRole('button', { name: 'Show the spoiler' }).focus();
    await page.keyboard.press('Enter');
    expect(await hidden.isVisible()).toBe(true);
    // In what a recipe shows it is the same. The recipe is drawn again after typing, and hides its spoiler once more.
    await seenBefore?.waitForElementState('hidden');
    await seen.getByRole('button', { name: 'Show the spoiler' }).first().click();
    await seen.getByText('the butler did it').first().waitFor();
    expect(reader.complaints).toEqual([]);
  });

  test('names permissions as the client of Discord does', async () => {
    const { page } = withKey;
    for (const name of ['Manage Server', 'Timeout Members', 'Manage Expressions']) {
      expect(await page.getByLabel(name, { exact: true }).count()).toBe(1);
    }
  });

  test.each(['light', 'dark'] as const)('fits a phone in %s, with everything opened', async (colorScheme) => {
    await using reader = await openDocs({ ...PHONE, colorScheme });
    const { page } = reader;
    await useKey(page);
    await openAll(page);
    await page.locator('form[data-operation="parse-args"] [type=submit]').click();
    await page.waitForSelector('form[data-operation="parse-args"] output[data-state=good]');
    await page.getByLabel('I build with').selectOption('discordjs');
    await page.locator('[data-recipe="parse-args"] code').filter({ hasText: 'fetch' }).waitFor();
    expect(await widthOf(page)).toBe(360);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(18, 24, 29)' : 'rgb(246, 242, 232)');
  });

  test('can be used with the keyboard: skip link first, names on all controls, a visible focus', async () => {
    await using reader = await openDocs();
    const { page } = reader;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the operations');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    const nameless = await page.evaluate(`[...document.querySelectorAll('input, select, textarea, button')]
      .filter((each) => !(each.labels?.length || each.textContent.trim() || each.ariaLabel))
      .map((each) => each.outerHTML)`);
    expect(nameless).toEqual([]);
    const twice = await page.evaluate(`[...document.querySelectorAll('[id]')].map((each) => each.id)
      .filter((id, at, all) => all.indexOf(id) !== at)`);
    expect(twice).toEqual([]);
  });

  test('the reference shows every operation without a script, and fits a phone', async () => {
    await using reader = await visit(browser, service.url, '/docs/reference', {
      ...PHONE,
      javaScriptEnabled: false,
    });
    const { page } = reader;
    for (const { name, path } of OPERATIONS) {
      expect(await page.locator(`#${name} .plate code`).textContent()).toBe(path);
    }
    await page.getByRole('link', { name: 'role-members', exact: true }).first().click();
    expect(page.url()).toContain('#role-members');
    expect(await widthOf(page)).toBe(360);
    expect(reader.complaints).toEqual([]);
  });

  test('the start page leads to the documents', async () => {
    await using reader = await visit(browser, service.url, '/');
    await reader.page.getByRole('link', { name: 'Open the documents' }).click();
    await reader.page.waitForURL(`${service.url}/docs`);
    expect(reader.complaints).toEqual([]);
  });
});
