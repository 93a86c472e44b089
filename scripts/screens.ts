import path from 'node:path';

import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';

import { startApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { createLog } from '../src/telemetry/log.ts';
import { startSimulator } from '../test/simulator/simulator.ts';

// node scripts/start.js scripts/screens.ts
// Takes the pictures of docs/screens/ again, with a simulated Discord. Needs Chromium, at CHROMIUM_PATH or its usual place.
const FOLDER = path.join(import.meta.dirname, '../docs/screens');
const GUILD_ID = '300000000000000000';
/** As wide as two of them next to each other on GitHub, and sharp enough there. */
const VIEW = { width: 1200, height: 820 };
/** A part is in the window as a whole, so that the bar at the top is not over it. */
const TALL = 2_400;
const COLOURS = 128;

await using discord = await startSimulator({ guilds: [{ id: GUILD_ID, members: { count: 5_000 } }] });
const config = loadConfig({
  PORT: '0',
  PUBLIC_URL: 'https://quartermaster.example',
  STORAGE_URL: 'memory:',
  DISCORD_TOKEN: discord.bot().token,
  DISCORD_API_URL: discord.apiUrl,
});
const app = await startApp(config, createLog('error'));
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  await discord.until(() => discord.bot().commands.length > 0);
  const { key } = await app.keys.create({
    guildId: GUILD_ID,
    name: 'docs',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  const page = await browser.newPage({ viewport: VIEW, reducedMotion: 'reduce' });
  const open = (address: string) => page.goto(`http://127.0.0.1:${app.port}${address}`);

  await open('/');
  await save(page, 'landing');
  await open('/docs');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Check the key' }).click();
  await page.waitForSelector('[data-key-form] output[data-state=good]');
  await open('/docs/parse-args');
  await page.locator('[name=text]').fill('!mute <@123456789012345678> für 2 Std Beleidigungen');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.code-panel output').filter({ hasText: 'calls left' }).waitFor();
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await save(page, 'operation');
  await open('/docs/parse-args?tool=botghost');
  await page.waitForSelector('html[data-ready]');
  await save(page, 'recipe', '#recipe');
  await open('/status');
  await save(page, 'status');
} finally {
  await browser.close();
  await app.close();
}

/** @param part of the page; by default the window */
async function save(page: Page, name: string, part?: string): Promise<void> {
  if (part !== undefined) await page.setViewportSize({ ...VIEW, height: TALL });
  const png = part === undefined ? await page.screenshot() : await page.locator(part).screenshot();
  await page.setViewportSize(VIEW);
  await sharp(png)
    .png({ palette: true, colours: COLOURS, effort: 10 })
    .toFile(path.join(FOLDER, `${name}.png`));
  process.stdout.write(`${name}.png\n`);
}
