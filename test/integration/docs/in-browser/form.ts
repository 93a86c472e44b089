import type { Page } from 'playwright-core';

export const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Checks the key on the page of all operations, where the reader is, and returns what the page says of it. */
export async function checkKey(page: Page, key: string): Promise<string> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Check the key' }).click();
  return (
    (await page.locator('[data-key-form] output:is([data-state=good], [data-state=failed])').textContent()) ??
    ''
  );
}

/** Sends the form of an operation, and returns how it went. */
export async function send(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  return (
    (await page
      .locator('.code-panel output:is([data-state=good], [data-state=failed])')
      .filter({ hasNotText: 'example' })
      .textContent()) ?? ''
  );
}

/** Chooses a builder on the page of an operation, and waits for its recipe. */
export async function chooseBuilder(page: Page, builder: string): Promise<void> {
  await page.evaluate("document.querySelector('[data-recipe] > :first-child').dataset.former = ''");
  await page.getByLabel('My builder').selectOption(builder);
  await page.locator('[data-recipe] > :first-child:not([data-former])').waitFor();
}
