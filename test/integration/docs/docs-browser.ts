import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Only ends what hangs: with other work on the machine, a first page or the index of the search takes half a minute. */
const WAIT_MS = 90_000;
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** True when tests in a browser are left out. They never are with REQUIRE_SERVICES=1: there they fail. */
export function isBrowserMissing(): boolean {
  if (process.env['REQUIRE_SERVICES'] === '1' || existsSync(CHROMIUM)) return false;
  process.stderr.write(`Skipped: tests of the pages in a browser, there is no Chromium at ${CHROMIUM}\n`);
  return true;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    timeout: WAIT_MS,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Lines of the console, things that failed to load, and requests that went to another host. */
  readonly complaints: readonly string[];
}

/** One reader with a tab of their own. */
export async function visit(
  browser: Browser,
  url: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A reader who goes on leaves requests behind.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !address.startsWith('data:'))
      complaints.push(`foreign: ${address}`);
  });
  await page.goto(url + path);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
