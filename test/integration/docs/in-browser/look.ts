import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { isFullRun } from '../../../fixtures/full-run.ts';
import { FIND_FAINT_TEXT } from './faint-text.ts';

interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Every width and every set of colours. The first one is the view that a reader at a desk has anyway. */
export const FEW_VIEWS: readonly View[] = [
  { width: 1280, colorScheme: 'light' },
  { width: 768, colorScheme: 'dark' },
  { width: 320, colorScheme: 'light' },
];
/** Also half of a window, which is what a zoom of 200 % leaves. In a full run, both ends in all colours. */
export const MORE_VIEWS: readonly View[] = [
  { width: 1280, colorScheme: 'light' },
  ...(isFullRun() ? [{ width: 1280, colorScheme: 'dark' } as const] : []),
  { width: 768, colorScheme: 'dark' },
  { width: 640, colorScheme: 'light' },
  ...(isFullRun() ? [{ width: 320, colorScheme: 'light' } as const] : []),
  { width: 320, colorScheme: 'dark' },
];

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const NO_CONTRAST = "rules: { 'color-contrast': { enabled: false } }";

/** Whether axe looks at a page, which takes as long as opening four: in one view of it, in two, or in a full run alone. */
export type Axe = 'wide' | 'wide and narrow' | 'full run';

/** What axe looks for in a view; null for nothing. By default it looks in the light, and for contrast in the widest view. */
function axeOptions({ width, colorScheme }: View, axe: Axe): string | null {
  if (isFullRun()) return colorScheme === 'dark' ? "runOnly: ['color-contrast']" : 'rules: {}';
  if (axe === 'full run') return null;
  if (width === 1280) return 'rules: {}';
  return width === 320 && axe === 'wide and narrow' ? NO_CONTRAST : null;
}

export const openAll = (page: Page) =>
  page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })");

async function findFaults(page: Page, part: string, options: string): Promise<unknown[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  // What passes is not described: that took most of the time.
  return page.evaluate(
    `axe.run(${part}, { resultTypes: ['violations'], ${options} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  );
}

/**
 * Expects the page to fit each view and to have no faint text there, and axe to find nothing.
 * @param changed the only part that axe has not seen elsewhere, as a selector
 */
export async function expectFaultless(
  page: Page,
  views: readonly View[],
  axe: Axe,
  changed?: string,
): Promise<void> {
  const part = changed === undefined || isFullRun() ? 'document' : JSON.stringify(changed);
  const found: unknown[] = [];
  // A new view costs half a visit, so the first one is that of the page before.
  const ordered = page.viewportSize()?.width === views.at(-1)?.width ? views.toReversed() : views;
  for (const view of ordered) {
    await page.setViewportSize({ width: view.width, height: 820 });
    await page.emulateMedia({ colorScheme: view.colorScheme });
    const [wide, faint] = await page.evaluate<[number, unknown[]]>(
      `[document.documentElement.scrollWidth, ${FIND_FAINT_TEXT}]`,
    );
    const options = axeOptions(view, axe);
    const faults = options === null ? [] : await findFaults(page, part, options);
    found.push({ ...view, wide, faint, faults });
  }
  expect(found).toEqual(ordered.map((view) => ({ ...view, wide: view.width, faint: [], faults: [] })));
}
