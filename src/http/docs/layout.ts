import { html, type Markup } from './html.ts';

export interface PageOptions {
  readonly title: string;
  readonly description: string;
  /** Addresses relative to the page. */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly icon: string;
  readonly body: Markup;
}

/** A whole page. */
export function layOut({ title, description, styles, scripts, icon, body }: PageOptions): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="${icon}" />
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
        ${scripts.map((source) => html`<script src="${source}" defer></script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`.html;
}
