import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { presentationOf } from '../../../../src/http/docs/operations/presentations.ts';
import { EXAMPLE_IMAGE_URL } from '../../../../src/operations/examples.ts';
import { OPERATIONS } from '../../../../src/operations/index.ts';
import type { Operation } from '../../../../src/operations/operation.ts';
import { isBuilderId, BUILDERS } from '../../../../src/recipes/builders.ts';
import { withRecipe } from '../../../../src/recipes/recipe-operations.ts';
import { isFullRun } from '../../../fixtures/full-run.ts';
import { expectedAnswer } from '../../recipes/example-service.ts';
import { ERROR_LINES } from './error-lines.ts';
import { checkKey, chooseBuilder, copied, send } from './form.ts';
import { expectFaultless, FEW_VIEWS, openAll } from './look.ts';
import { GUILD_ID, type Pages } from './pages.ts';

const BUILDER_IDS = Object.keys(BUILDERS).filter(isBuilderId);
/** What is special about their pages, others have too. */
const ALIKE = ['permission-decoder', 'permissions', 'role-counts', 'role-changes'];
/** Each with another builder. */
const EACH = OPERATIONS.map(
  (operation, index) =>
    [operation.name, operation, BUILDER_IDS[index % BUILDER_IDS.length] ?? 'curl'] as const,
).filter(([name]) => isFullRun() || !ALIKE.includes(name));

/** More than any way of these tests has. */
const STOPS_MAX = 60;

/** Presses Tab until the focus is there, and sees that one can see it. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = `document.activeElement.matches(${JSON.stringify(`:is(${selector}):focus-visible`)})`;
  for (let presses = 0; presses < STOPS_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(isThere)) return;
  }
  throw new Error(`${STOPS_MAX} presses of Tab do not lead to ${selector}`);
}

/** Words, the parts between blanks, that are broken across two lines. */
const BROKEN_WORDS = `[...document.querySelectorAll('.checks code')].flatMap((code) => {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    for (const { 0: word, index } of walker.currentNode.data.matchAll(/[^ \\n]+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
})`;

const SECTIONS = "[...document.querySelectorAll('main > section')].map(({ id }) => id)";
const LISTED = "[...document.querySelectorAll('.sidebar ul ul a')].map(({ hash }) => hash.slice(1))";
const textsOf = (page: Page, source: string) => page.evaluate<string[]>(source);

/** Whether one sees the element from top to bottom, as nothing that sticks to the window covers it. */
const IS_ON_SCREEN = `(selector) => {
  const element = document.querySelector(selector);
  const { left, top, bottom } = element.getBoundingClientRect();
  return [top + 4, bottom - 4].every((y) => document.elementFromPoint(left + 4, y) === element);
}`;

/** Changes the key in the tab of an operation's page. */
const HOLD_KEY = `async (key) => {
  const { name: script } = performance.getEntriesByType('resource').find(({ name }) => name.includes('key.js'));
  const { keepKey } = await import(script);
  keepKey(key);
}`;

/** Pastes each text, and returns how the only row begins that explains it; empty when none does. */
const EXPLAIN_EACH = `async (pasted) => {
  const input = document.querySelector('#came');
  const { name: script } = performance.getEntriesByType('resource').find(({ name }) => name.includes('explain.js'));
  const { explain } = await import(script);
  const explained = [];
  for (const text of pasted) {
    input.value = text;
    await explain(input);
    const rows = [...document.querySelectorAll('[data-problems] tbody tr:not([hidden])')];
    const isFound = document.querySelector('[data-wrong-count]').textContent.endsWith('found');
    explained.push(isFound ? rows.map(({ cells }) => cells[0].textContent).join(' and ') : '');
  }
  return explained;
}`;

export function testOperationPages(pages: () => Pages): void {
  let page: Page;
  let plainKey: string;
  beforeAll(async () => {
    const { service, desktop } = pages();
    ({ page } = desktop);
    plainKey = await service.createKey({ guildId: GUILD_ID });
    await desktop.arrive('/docs');
    await checkKey(page, service.key);
  });

  const open = (path: string) => pages().desktop.open(path);
  const reuse = (path: string) => pages().desktop.reuse(path);
  const hold = (key: string) => page.evaluate(`(${HOLD_KEY})('${key}')`);
  const complaints = () => pages().desktop.complaints;

  async function fill(operation: Operation): Promise<void> {
    const { service } = pages();
    const form = page.locator('form[data-operation]');
    await openAll(page);
    for (const [field, value] of Object.entries(service.inputOf(operation))) {
      const text = [value].flat().join(', ');
      const control = form.locator(`[name="${field}"]`);
      if ((await control.locator('option').count()) > 0) await control.selectOption(text);
      else await control.fill(text);
    }
    if (operation.secretHeader !== null)
      await form.locator('[data-secret]').fill(service.secretOf(operation));
  }

  test.each(EACH)(
    'of %s begins with its example, works as it is when sent, shows the response of its example with the filled-in values, and fits, wide or narrow',
    async (name, operation, builder) => {
      const { service } = pages();
      await hold(plainKey);
      await open(`/docs/${name}?tool=${builder}`);
      const sections = await textsOf(page, SECTIONS);
      // Readers who build without code come for the recipe.
      expect(sections[0]).toBe(withRecipe(operation) === null || BUILDERS[builder].isCode ? 'try' : 'recipe');
      expect(await textsOf(page, LISTED)).toEqual(sections);
      for (const [field, value] of Object.entries(operation.example.input)) {
        const text = [value].flat().join(', ');
        // The ids of examples do not exist.
        if (/^\d{17,}$/.test(text)) continue;
        const control = page.locator(`form [name="${field}"]`);
        expect([field, await control.inputValue(), await control.isVisible()]).toEqual([field, text, true]);
      }
      // There is no example of what only the reader can have.
      if (operation.secretHeader === 'Webhook')
        await page.locator('[data-secret]').fill(service.discord.addWebhook({ guildId: GUILD_ID }).url);
      // The one address of an example that this machine must not ask.
      const isAsking = (await page.locator(`form [value="${EXAMPLE_IMAGE_URL}"]`).count()) > 0;
      expect(isAsking ? '200' : await send(page)).toMatch(/^200/);
      await hold(service.key);
      await fill(operation);
      expect(await send(page)).toMatch(/^200 · \d+ ms · \d+ calls left this minute$/);
      const answer = JSON.parse((await page.locator('[data-answer]').textContent()) ?? '') as Record<
        string,
        unknown
      >;
      expect(answer).toEqual(expectedAnswer(operation.example));
      expect(await page.locator('[data-picture] img').count()).toBe('data_uri' in answer ? 1 : 0);
      expect(await page.locator('[data-cards] .card').count()).toBe(presentationOf(operation).shown.length);
      await expectFaultless(page, FEW_VIEWS, 'full run');
      expect(complaints()).toEqual([]);
    },
  );

  test('fits a phone with a long list and a large picture in the response', async () => {
    await reuse('/docs/role-members');
    await page.setViewportSize({ width: 375, height: 812 });
    const members = Array.from({ length: 5_000 }, (_, index) =>
      String(200_000_000_000_000_000n + BigInt(index)),
    );
    const answer = { ok: true, count: members.length, members, returned: members.length };
    await page.route('**/api/role-members*', (route) => route.fulfill({ json: answer }));
    await send(page);
    const list = page.locator('.card').filter({ hasText: '200000000000000000' });
    expect(await list.textContent()).toMatch(/ and 4995 more$/);
    expect((await list.boundingBox())?.height).toBeLessThan(250);
    await page.unroute('**/api/role-members*');
    const pixels =
      'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAGUlEQVR4nGP8z0AaYCJR/aiGUQ1DSAMAQC4BH5CRwYcAAAAASUVORK5CYII=';
    const picture = { ok: true, base64: pixels, mime_type: 'image/png', width: 2_000, height: 2_000 };
    await page.route('**/api/image-to-base64*', (route) => route.fulfill({ json: picture }));
    await open('/docs/image-to-base64');
    await send(page);
    const image = page.locator('[data-picture] img');
    await page.evaluate("document.querySelector('[data-picture] img').width = 2000");
    expect((await image.boundingBox())?.width).toBeLessThan(375);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await page.unroute('**/api/image-to-base64*');
    await page.setViewportSize({ width: 1280, height: 820 });
  });

  test('shows only the errors that the chosen recipe can cause, until an error is pasted', async () => {
    const rows = page.locator('[data-problems] tbody tr:visible');
    const wanted = page.getByLabel('Paste what came back');
    await open('/docs/text-splitter?tool=make');
    expect(await rows.count()).toBe(0);
    expect(await page.locator('[data-problems] table:visible').count()).toBe(0);
    await page.getByLabel('My builder').selectOption({ label: 'BDFD' });
    await expect
      .poll(() => rows.allTextContents())
      .toContainEqual(expect.stringMatching(/^Discord does not/));
    const said = await rows.count();
    await wanted.fill('missing_field');
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('missing_field')]);
    await wanted.fill('');
    await expect.poll(() => rows.count()).toBe(said);
    await page.getByText('Codes of text-splitter').click();
    expect(await rows.count()).toBeGreaterThan(said + 5);
    // A link to a code leads to its row, although the table is folded.
    await open('/docs/text-splitter#missing_field');
    expect(await page.locator('#missing_field').isVisible()).toBe(true);
  });

  test('folds the fields beyond the first screen', async () => {
    await reuse('/docs/text-splitter');
    const fields = page.locator('#fields tbody tr:visible');
    const shown = await fields.count();
    expect(shown).toBeLessThan(7);
    await page.locator('#fields summary').click();
    expect(await fields.count()).toBeGreaterThan(shown + 5);
  });

  test('shows chunks as Discord does, hides a spoiler until it is pressed, and makes no HTML of a text', async () => {
    await reuse('/docs/text-splitter');
    const text =
      '# Big\n> quoted **bold**\n||the butler||\n```js\nlet a = 1;\n```\n<img src=x onerror=alert(1)>';
    await page.locator('[name=text]').fill(text);
    await page.locator('[name=max_length]').fill('');
    await send(page);
    const said = page.locator('[data-messages] .message-text');
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
    expect(complaints()).toEqual([]);
  });

  test('keeps a spoiler of several lines covered, with a cover that can be pressed', async () => {
    await reuse('/docs/text-splitter');
    await page.setViewportSize({ width: 375, height: 812 });
    await page.locator('[name=text]').fill('Do not read on: ||the butler did it. Nobody else was home.||');
    await page.locator('[name=max_length]').fill('');
    await send(page);
    const said = page.locator('[data-messages] .message-text');
    const cover = await said.getByRole('button', { name: 'Show the spoiler' }).boundingBox();
    const hidden = await said.locator('.spoiler > span').boundingBox();
    expect(cover?.height).toBeGreaterThan(30);
    expect(cover?.width).toBeGreaterThanOrEqual(hidden?.width ?? Infinity);
    await said.getByRole('button', { name: 'Show the spoiler' }).click();
    expect(await said.getByText('the butler').isVisible()).toBe(true);
  });

  test('covers the spoiler of a slash command above the answer to it', async () => {
    await open('/docs/text-splitter?tool=botghost');
    const used = page.locator('[data-seen] .used').first();
    expect(await used.textContent()).toContain('the butler');
    expect(await used.locator('.spoiler > span').isVisible()).toBe(false);
  });

  test('writes the request as it will be sent, in the language and for the builder chosen on another page', async () => {
    await reuse('/docs/text-splitter');
    await page.getByRole('tab', { name: 'Python' }).click();
    await chooseBuilder(page, 'bdfd');
    await openAll(page);
    const explained = page.getByRole('textbox', {
      name: 'max_length',
      description: /^Largest length of a chunk/,
    });
    await explained.fill('77');
    await page
      .locator('[data-recipe] pre code')
      .filter({ hasText: /max_length\W+77/ })
      .waitFor();
    await open('/docs/parse-args');
    await page.getByText('Recipe for BDFD').waitFor();
    expect((await textsOf(page, SECTIONS)).slice(0, 3)).toEqual(['recipe', 'see', 'try']);
    expect(await textsOf(page, LISTED)).toEqual(await textsOf(page, SECTIONS));
    expect(await page.getByRole('tab', { name: 'Python' }).getAttribute('aria-selected')).toBe('true');
    await page.locator('[name=text]').fill('it\'s "mine"');
    await page.getByText('More fields').click();
    await page.locator('[name=args_only]').check();
    await page.getByRole('button', { name: 'Copy the request' }).click();
    await expect.poll(() => copied(page)).toContain(`json={'text': "it's \\"mine\\"", 'args_only': True}`);
    await page.getByRole('tab', { name: 'curl' }).click();
    await page.getByRole('button', { name: 'Copy the request' }).click();
    await expect.poll(() => copied(page)).toContain(String.raw`--data-urlencode 'text=it'\''s "mine"'`);
  });

  test('shows a switch as it is by default, and sends it when it is changed', async () => {
    await open('/docs/text-splitter?tool=bdfd');
    await page.getByText('More fields').click();
    const isOn = (name: string) => page.locator(`[name=${name}]`).isChecked();
    expect(await Promise.all(['reopen', 'final', 'latex'].map(isOn))).toEqual([true, true, false]);
    const codes = page.locator('[data-request]');
    expect((await codes.allTextContents()).join(' ')).not.toMatch(/reopen|final|latex/);
    await page.locator('[name=reopen]').uncheck();
    await page.locator('[name=latex]').check();
    expect(await codes.allTextContents()).toEqual([
      expect.stringMatching(/'reopen=false'[^]*'latex=true'/),
      expect.stringContaining('reopen: false, latex: true'),
      expect.stringContaining("'reopen': False, 'latex': True"),
    ]);
    await page
      .locator('[data-recipe] pre code')
      .filter({ hasText: /reopen\W+false/ })
      .waitFor();
    const sent = page.waitForRequest('**/api/text-splitter?*');
    expect(await send(page)).toMatch(/^200/);
    expect((await sent).postDataJSON()).toMatchObject({ reopen: false, latex: true });
    await page.locator('[name=reopen]').check();
    await page.locator('[name=latex]').uncheck();
    expect((await codes.allTextContents()).join(' ')).not.toMatch(/reopen|final|latex/);
  });

  test('follows the builder and the names of variables in its recipe', async () => {
    await reuse('/docs/parse-args');
    await page.getByLabel('My builder').selectOption({ label: 'BotGhost' });
    await page.getByText('Recipe for BotGhost').waitFor();
    expect(page.url()).toBe(`${pages().url}/docs/parse-args?tool=botghost`);
    expect(await page.title()).toBe('parse-args for BotGhost · Quartermaster');
    const names = page.locator('.names input');
    await names.first().waitFor();
    await page.locator('[data-name-of=user_id]').fill('{qm_user}');
    await page.getByRole('button', { name: 'Copy User ID' }).click();
    await expect.poll(() => copied(page)).toBe('{qm_user}');
    // Somebody who looks over a shoulder sees no key, but a copy holds it.
    const header = page.locator('.copy-table tr').filter({ hasText: 'Authorization' });
    expect(await header.textContent()).toContain(`${pages().service.key.slice(0, 6)}…`);
    expect(await page.content()).not.toContain(pages().service.key);
    await header.getByRole('button', { name: 'Copy value of Authorization' }).click();
    await expect.poll(() => copied(page)).toBe(pages().service.key);
    expect(complaints()).toEqual([]);
  });

  test('works with the keyboard alone: the recipe, the form, the languages of the request, and Copy', async () => {
    await reuse('/docs/parse-args');
    await page.evaluate("document.querySelector('form[data-operation]').reset()");
    await chooseBuilder(page, 'botghost');
    // Tab goes on from the last click.
    await page.locator('h1').click();
    await tabTo(page, '[data-name-of=user_id]');
    await page.keyboard.type('{qm_user}');
    await tabTo(page, '[aria-label="Copy User ID"]');
    await page.keyboard.press('Space');
    await expect.poll(() => copied(page)).toBe('{qm_user}');
    await tabTo(page, '[name=text]');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('!kick 2h keys only');
    await tabTo(page, '[type=submit]');
    await page.keyboard.press('Enter');
    await page.locator('.code-panel output').filter({ hasText: 'calls left' }).waitFor();
    expect(await page.locator('[data-answer]').textContent()).toContain('keys only');
    await tabTo(page, '[role=tab]');
    const chosen = page.locator('[role=tab][aria-selected=true]');
    for (const language of ['curl', 'JavaScript', 'Python']) {
      for (let turn = 0; turn < 3 && (await chosen.textContent())?.trim() !== language; turn += 1)
        await page.keyboard.press('ArrowRight');
      expect((await chosen.textContent())?.trim()).toBe(language);
      expect(await page.locator('[role=tabpanel]:visible').count()).toBe(1);
    }
    await page.keyboard.press('ArrowLeft');
    expect((await chosen.textContent())?.trim()).toBe('JavaScript');
    // One stop for all languages, so that Copy is next.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => copied(page)).toContain('body: JSON.stringify({ text: "!kick 2h keys only" })');
    expect(complaints()).toEqual([]);
  });

  test('shows a typed name without an id, and says why there is none', async () => {
    await reuse('/docs/parse-args');
    await page.locator('[name=text]').fill('!ban @Ann perm');
    expect(await send(page)).toMatch(/^200/);
    const card = (key: string) => page.locator('.card', { hasText: key }).innerText();
    expect(await card('user_id')).toMatch(/^user_id\s+@Ann\s+null\s+.*picked from its list/);
    expect(await card('duration_seconds')).toMatch(/^duration_seconds\s+perm\s+null$/);
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 820 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test('breaks no word of a condition, however wide the window is', async () => {
    await reuse('/docs/parse-args');
    await chooseBuilder(page, 'botghost');
    expect(await page.locator('.checks code').count()).toBeGreaterThan(10);
    for (const width of [375, 700, 768, 1200, 1280]) {
      await page.setViewportSize({ width, height: 820 });
      expect([width, await page.evaluate(BROKEN_WORDS)]).toEqual([width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test('shows a large workflow folded, and copies all of it', async () => {
    await reuse('/docs/parse-args');
    await chooseBuilder(page, 'n8n');
    const workflow = page.locator('[data-recipe] .code-panel');
    expect(await workflow.locator('pre').isVisible()).toBe(false);
    await workflow.getByRole('button', { name: 'Copy the workflow' }).click();
    await expect.poll(() => copied(page)).toContain('"type": "n8n-nodes-base.httpRequest"');
    expect(await copied(page)).toContain(pages().service.key);
  });

  test('says that a field stays empty, without a value to copy', async () => {
    await reuse('/docs/parse-args');
    await chooseBuilder(page, 'discord_bot_maker');
    const row = page.locator('[data-recipe] tr', { hasText: 'JSON Path' });
    expect(await row.textContent()).toContain('(leave empty)');
    expect(await row.getByRole('button').count()).toBe(0);
  });

  test('writes the refusals of another builder into their section after Copy was pressed', async () => {
    await reuse('/docs/parse-args');
    await chooseBuilder(page, 'discordjs');
    const refusals = () => page.locator('#wrong [data-sentence] th').allTextContents();
    const before = await refusals();
    await page.getByRole('button', { name: 'Copy the request' }).click();
    await expect.poll(() => copied(page)).toContain('/api/');
    await page.locator('[data-builder]').selectOption('make');
    await expect.poll(refusals).not.toEqual(before);
    expect(await page.locator('button [data-sentence]').count()).toBe(0);
  });

  test('shows the right row for each real-world error, or none', async () => {
    await reuse('/docs/parse-args');
    await page.getByLabel('Paste what came back').fill('rate_limited');
    await page.locator('[data-wrong-count]').filter({ hasText: '1 found' }).waitFor();
    const pasted = JSON.stringify(ERROR_LINES.map(([line]) => line));
    const explained = await page.evaluate<string[]>(`(${EXPLAIN_EACH})(${pasted})`);
    const wrong = ERROR_LINES.map(([line, row], at) => ({ line, row, explained: explained[at] })).filter(
      ({ row, explained: found = '' }) => (row === null ? found !== '' : !found.startsWith(row)),
    );
    expect(wrong).toEqual([]);
    expect(await page.locator('[data-problems] table:visible').count()).toBe(1);
    await page.getByLabel('Paste what came back').fill('DiscordAPIError[10008]: Unknown Message');
    await page.locator('[data-wrong-count]').filter({ hasText: 'It may come from Discord' }).waitFor();
    expect(ERROR_LINES.length).toBeGreaterThanOrEqual(80);
  });

  test('says when no row explains a text, and then hides none', async () => {
    await reuse('/docs/parse-args');
    const said = page.locator('[data-wrong-count]');
    await page.getByLabel('Paste what came back').fill('');
    await expect.poll(() => said.textContent()).toBe('');
    const rows = page.locator('[data-problems] tbody tr:visible');
    const all = await rows.count();
    await page.getByLabel('Paste what came back').fill('Emoji limit reached, buy more');
    await expect.poll(() => said.textContent()).toContain('No row here explains it');
    expect(await rows.count()).toBeGreaterThan(all);
  });

  test('offers rows for words with a slip, and says that it is not sure', async () => {
    await reuse('/docs/parse-args');
    await page.getByLabel('Paste what came back').fill('unkown member');
    await page.locator('[data-wrong-count]').filter({ hasText: 'Did you mean one of these?' }).waitFor();
    expect(await page.locator('[data-problems] tbody tr:visible').allInnerTexts()).toContainEqual(
      expect.stringContaining('Unknown Member'),
    );
  });

  test('passes a pasted refusal to message-check unchanged, and stores it nowhere else', async () => {
    await reuse('/docs/parse-args');
    const token = 'a'.repeat(68);
    const printed = `DiscordAPIError[50035]: Invalid Form Body\nembeds[0].color[NUMBER_TYPE_COERCE]: Value "#f00" is not int.\n  url: 'https://discord.com/api/webhooks/123456789012345678/${token}'`;
    await page.getByLabel('Paste what came back').fill(printed);
    await page.locator('[data-wrong-count]').filter({ hasText: '1 found' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.locator('[data-problems]').getByRole('link', { name: 'message-check' }).click();
    await page.locator('html[data-ready]').waitFor();
    expect(await page.locator('[data-shared-box]').inputValue()).toBe(printed);
    expect(page.url()).toBe(`${pages().url}/docs/message-check`);
    expect(asked.join(' ')).not.toContain(token);
    const kept = 'JSON.stringify([sessionStorage, localStorage, document.cookie, history.state])';
    expect(await page.evaluate(kept)).not.toContain(token);
    expect(await send(page)).toMatch(/^200/);
    expect(await page.locator('[data-findings] tbody').innerText()).toContain('embeds[0].color');
    expect(await page.locator('[data-answer]').textContent()).not.toContain(token);
  });

  test('shows each finding beside its path, wide or narrow, and copies the repaired message', async () => {
    await reuse('/docs/message-check');
    const box = page.getByLabel('A message, or the error that came back');
    await box.fill(
      '{"embeds":[{"title":"x","color":"#ff0000","fields":[{"name":"","value":"v"}],"author":{"url":"https://e.io"}}]}',
    );
    expect(await send(page)).toMatch(/^200/);
    const rows = page.locator('[data-findings] tbody tr');
    expect((await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
      'embeds[0].color embeds[0].color is "#ff0000"; Discord wants a number, 16711680. put right',
      'embeds[0].fields[0].name The name of field 1 in embed 1 is empty.',
      'embeds[0].author embeds[0].author has no name, so Discord does not show it.',
    ]);
    await page.getByRole('button', { name: 'Copy fixed' }).click();
    await expect.poll(() => copied(page)).toContain('"color": 16711680');
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 820 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.locator('[data-findings] caption').allInnerTexts()).toEqual([
        'What Discord refuses',
        'What it takes, and shows otherwise',
      ]);
    }
    // The same box takes what Discord answered, and nothing is put right then.
    await box.fill('{"embeds":["0"]}');
    expect(await page.locator('[data-request=sh]').textContent()).toContain('error={"embeds":["0"]}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await rows.filter({ hasText: 'Discord refuses embeds[0] and does not say why.' }).waitFor();
    expect(await rows.innerText()).not.toContain('"0"');
    expect(await page.locator('[data-repaired]').isVisible()).toBe(false);
    // Both together, one below the other.
    await box.fill('Invalid Form Body\nembeds[0].color: Not an int.\n\n{"embeds":[{"color":"#ff0000"}]}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await rows.filter({ hasText: '16711680. Discord: Not an int.' }).waitFor();
    expect(complaints()).toEqual([]);
  });

  // From here on calls fail, of which the browser complains.
  test('says when a text is neither a message nor an error, and names no missing field', async () => {
    await reuse('/docs/message-check');
    const box = page.getByLabel('A message, or the error that came back');
    await box.fill('hello there');
    const neither = 'This text is neither a message in JSON nor an error from Discord.';
    expect(await send(page)).toBe(`400 · invalid_field · ${neither}`);
    expect(await page.locator('#refusal').textContent()).toMatch(`${neither} Paste the JSON of`);
    expect(await box.getAttribute('aria-invalid')).toBe('true');
    await expectFaultless(page, FEW_VIEWS, 'full run');
    // With both in it, the box has the name of one of them, and the other one is refused.
    await box.fill(`Invalid Form Body\n\n{"content":${'['.repeat(40)}${']'.repeat(40)}}`);
    expect(await send(page)).toMatch('The field message is too large for a message.');
    expect(await page.locator('#refusal').textContent()).toContain('Send at most 32 levels');
    expect(await box.getAttribute('aria-invalid')).toBe('true');
  });

  test('leads from Missing Permissions to permission-check, with the pasted text in its form', async () => {
    await reuse('/docs/message-check');
    const role = '423456789012345678';
    const url = `https://discord.com/api/v10/guilds/${GUILD_ID}/members/223456789012345678/roles/${role}`;
    await page
      .getByLabel('Paste what came back')
      .fill(`DiscordAPIError[50013]: Missing Permissions { method: 'PUT', url: '${url}' }`);
    await page.locator('[data-wrong-count]').filter({ hasText: '1 found' }).waitFor();
    await page.locator('[data-problems]').getByRole('link', { name: 'permission-check' }).click();
    await page.locator('html[data-ready]').waitFor();
    const typed = (name: string) => page.locator(`[name=${name}]`).inputValue();
    expect(await Promise.all(['guild_id', 'permission', 'target_role_id'].map(typed))).toEqual([
      GUILD_ID,
      'MANAGE_ROLES',
      role,
    ]);
  });

  test('shows below the field why the call was refused until the field changes or the next call begins', async () => {
    await reuse('/docs/permission-check');
    await page.setViewportSize({ width: 390, height: 844 });
    const field = page.locator('[name=user_id]');
    const refusal = page.locator('#refusal');
    const hint = (await field.getAttribute('aria-describedby')) ?? '';
    await field.fill('12');
    const said = await send(page);
    const answer = await page.locator('[data-answer]').textContent();
    const { error, hint: advice } = JSON.parse(answer ?? '') as { error: string; hint: string };
    expect(said).toBe(`400 · invalid_field · ${error}`);
    expect(await refusal.textContent()).toBe(`${error} ${advice}`);
    for (const seen of ['[name=user_id]', '#refusal'])
      await expect.poll(() => page.evaluate(`(${IS_ON_SCREEN})('${seen}')`)).toBe(true);
    expect(await field.getAttribute('aria-describedby')).toBe(`refusal ${hint}`);
    await field.fill('123');
    expect(await refusal.count()).toBe(0);
    expect(await field.getAttribute('aria-describedby')).toBe(hint);
    expect(await field.getAttribute('aria-invalid')).toBe(null);
    // What is sent next is right, and nothing of the call before stays.
    await send(page);
    expect(await refusal.count()).toBe(1);
    await page.route('**/api/chat/permission-check*', (route) => route.fulfill({ json: { ok: true } }));
    await send(page);
    expect(await refusal.count()).toBe(0);
    await page.unroute('**/api/chat/permission-check*');
  });

  test('makes a bit field and an invite link of ticked permissions, named as the client of Discord does', async () => {
    await reuse('/docs/permission-encoder#invite');
    // There is no link yet, and no box is in another column than its name.
    expect(await page.getByRole('button', { name: 'Copy the invite link' }).isVisible()).toBe(false);
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('.boxes .tick')].filter((label) => label.getClientRects().length > 1).length",
      ),
    ).toBe(0);
    await page.getByLabel('Application id').fill('123456789012345678');
    for (const name of ['Manage Server', 'Send Messages and Create Posts']) {
      await page.getByLabel(name, { exact: true }).check();
    }
    expect(await page.locator('#invite-bitfield').textContent()).toBe('2080');
    await page.getByRole('button', { name: 'Copy the invite link' }).click();
    await expect
      .poll(() => copied(page))
      .toBe(
        'https://discord.com/oauth2/authorize?client_id=123456789012345678&scope=bot+applications.commands&permissions=2080',
      );
  });

  test('says what is wrong at the field, moves to the field, and links what to do', async () => {
    await reuse('/docs/permission-encoder');
    await page.locator('[name=permissions]').fill('FLY');
    expect(await send(page)).toMatch(/^400 · unknown_permission · /);
    expect(await page.evaluate('document.activeElement.name')).toBe('permissions');
    expect(await page.locator('[name=permissions]').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('link', { name: 'What unknown_permission means and what to do' }).click();
    expect(page.url()).toContain('#unknown_permission');
    await page.getByLabel('Paste what came back').fill('{"ok":false,"code":"rate_limited","error":"…"}');
    const rows = page.locator('[data-problems] tbody tr:visible');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.textContent()).toContain('rate_limited');
    await page.getByLabel('Paste what came back').fill('placeholder');
    await expect.poll(() => rows.allTextContents()).toHaveLength(1);
  });

  test('writes what the reader typed below the field as text', async () => {
    await reuse('/docs/permission-encoder');
    await page.locator('[name=permissions]').fill('<b>FLY</b>');
    await send(page);
    expect(await page.locator('#refusal').textContent()).toContain('<b>FLY</b>');
    expect(await page.locator('#refusal > *').count()).toBe(0);
  });
}
