import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EXAMPLE_IMAGE_URL } from '../../../src/operations/examples.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import { isBrowserMissing, launchBrowser, visit, type Visit } from './docs-browser.ts';

const GUILD_ID = '300000000000000000';

/** A server of somebody who has added the bot, in which no id of the examples exists. */
describe.skipIf(isBrowserMissing())('with nothing but a key', () => {
  let service: DiscordApp;
  let browser: Browser;
  let reader: Visit;
  let page: Page;
  beforeAll(async () => {
    service = await startDiscordApp(
      { guilds: [{ id: GUILD_ID, members: { count: 20, firstId: 200_000_000_000_000_000n } }] },
      { IMAGE_ALLOW_PRIVATE: 'true' },
    );
    browser = await launchBrowser();
    reader = await visit(browser, service.url, '/docs');
    ({ page } = reader);
    await page.getByLabel('API key').fill(await service.createKey({ guildId: GUILD_ID }));
    await page.getByRole('button', { name: 'Use and check' }).click();
    await page.waitForSelector('[data-key-form] output[data-state=good]');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test.each(
    RECIPE_OPERATIONS.filter(({ recipe, example }) => recipe.field in example.input).map(
      ({ name, recipe }) => [name, recipe.field] as const,
    ),
  )('the form of %s shows its field %s', async (name, field) => {
    const control = page.locator(`form[data-operation="${name}"] [name="${field}"]`);
    expect(await control.isVisible()).toBe(true);
  });

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'what stands in the form of %s works when it is sent',
    async (name, { secretHeader }) => {
      const form = page.locator(`form[data-operation="${name}"]`);
      // The one address of an example that this machine must not ask.
      if ((await form.locator(`[value="${EXAMPLE_IMAGE_URL}"]`).count()) > 0) return;
      // There is no example of what only the reader can have.
      if (secretHeader === 'Webhook') {
        await form.locator('[data-secret]').fill(service.discord.addWebhook({ guildId: GUILD_ID }).url);
      }
      await form.getByRole('button', { name: 'Send' }).click();
      const outcome = form.locator('output:not([data-state=busy])[data-state]');
      expect(await outcome.textContent()).toMatch(/^200 in/);
      expect(reader.complaints).toEqual([]);
    },
  );
});
