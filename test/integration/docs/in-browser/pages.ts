import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

import { CHROMIUM } from '../../../fixtures/chromium.ts';
import { openExampleService, type ExampleService } from '../../recipes/example-service.ts';

/** Only ends what hangs: with other work on the machine, a first page or the index of the search takes half a minute. */
const WAIT_MS = 90_000;

/** What copied recipes call. */
export const PUBLIC_URL = 'https://qm.example';
/** A server that knows nothing of the examples. */
export const GUILD_ID = '300000000000000000';
export const ADMIN_ID = '200000000000000000';

/** Counted in the tab itself: a call out of the page may get lost when the click leads to another one. */
const COUNT_CLICKS =
  "addEventListener('click', ({ isTrusted }) => isTrusted && (sessionStorage.clicks = 1 + Number(sessionStorage.clicks ?? 0)), true)";

/** True when tests in a browser are left out. They never are with REQUIRE_SERVICES=1: there they fail. */
export function isBrowserMissing(): boolean {
  if (process.env['REQUIRE_SERVICES'] === '1' || CHROMIUM !== undefined) return false;
  process.stderr.write(`Skipped: tests of the pages in a browser, there is no Chromium\n`);
  return true;
}

/** A window with one tab. Another one costs as much as five pages, so readers come one after the other. */
export interface Reader {
  readonly page: Page;
  readonly width: number;
  /** Since the arrival: lines of the console, what failed to load, and requests that went to another host. */
  readonly complaints: readonly string[];
  /** Comes as somebody who has never been here. */
  readonly arrive: (path: string) => Promise<void>;
  /** Opens a page, and waits until it can be used. */
  readonly open: (path: string) => Promise<void>;
  /** Goes on with this page as an earlier test has left it, or opens it. A test says all that it needs there. */
  readonly reuse: (path: string) => Promise<void>;
  readonly clicks: () => Promise<number>;
}

/** What all tests in a browser share: the service, and two readers. */
export interface Pages extends AsyncDisposable {
  readonly service: ExampleService;
  readonly url: string;
  readonly desktop: Reader;
  readonly phone: Reader;
}

export async function openPages(): Promise<Pages> {
  await using stack = new AsyncDisposableStack();
  const service = await openExampleService({
    guilds: [{ id: GUILD_ID, ownerId: ADMIN_ID, members: { count: 50, firstId: BigInt(ADMIN_ID) } }],
    env: { PUBLIC_URL },
  });
  stack.defer(() => service.close());
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const { url } = service;
  const desktop = await openReader(browser, url, { viewport: { width: 1280, height: 820 } });
  const phone = await openReader(browser, url, {
    viewport: { width: 375, height: 812 },
    isMobile: true,
    hasTouch: true,
  });
  const parts = stack.move();
  return { service, url, desktop, phone, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** What would start processes, or ask the world, for readers who go from site to site. Replaces Playwright's own list. */
const NEEDLESS_FEATURES = [
  'ProactivelySwapBrowsingInstance',
  'RenderDocument',
  'SpareRendererForSitePerProcess',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
];

function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? 'chromium',
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
      // All pages are of one site and stay in one process; by default each visit starts a process, and one to spare.
      '--disable-site-isolation-trials',
      '--process-per-site',
      '--renderer-process-limit=1',
      '--in-process-gpu',
      `--disable-features=${NEEDLESS_FEATURES.join(',')}`,
    ],
  });
}

async function openReader(
  browser: Browser,
  url: string,
  view: BrowserContextOptions & { viewport: { width: number; height: number } },
): Promise<Reader> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...view });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  await page.addInitScript(COUNT_CLICKS);
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
  const resetView = async () => {
    await page.setViewportSize(view.viewport);
    await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: 'reduce' });
  };
  const open = async (path: string) => {
    await page.goto(url + path);
    await page.waitForSelector('html[data-ready]');
  };
  return {
    page,
    width: view.viewport.width,
    complaints,
    async arrive(path) {
      if (page.url().startsWith(url)) await page.evaluate('sessionStorage.clear(); localStorage.clear()');
      await resetView();
      complaints.length = 0;
      await page.goto(url + path);
    },
    open,
    async reuse(path) {
      await resetView();
      if (new URL(page.url()).pathname !== new URL(path, url).pathname) await open(path);
    },
    clicks: async () => Number(await page.evaluate('sessionStorage.clicks')),
  };
}

/** Scripts do not run in pages that are loaded until this is disposed of. */
export async function withoutScripts(page: Page): Promise<AsyncDisposable> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: true });
  return {
    async [Symbol.asyncDispose]() {
      await devtools.send('Emulation.setScriptExecutionDisabled', { value: false });
      await devtools.detach();
    },
  };
}
