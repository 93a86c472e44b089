import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { Document } from './send-document.ts';

export interface Asset extends Document {
  /** Changes whenever the content does. */
  readonly version: string;
}

const FOLDER = path.join(import.meta.dirname, 'assets');
const require = createRequire(import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ico': 'image/x-icon',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The only files that are served, with where they are when they are not beside the others. */
const FILES = {
  'pages.css': null,
  'page.js': null,
  'answer.js': null,
  'colours.js': null,
  'copy.js': null,
  'discord-markdown.js': null,
  'docs.js': null,
  'dom.js': null,
  'find.js': null,
  'key.js': null,
  'landing.js': null,
  'operation.js': null,
  'parts.js': null,
  'permissions.js': null,
  'recipe.js': null,
  'request-code.js': null,
  'request.js': null,
  'search.js': null,
  'show-code.js': null,
  'tabs.js': null,
  'tool.js': null,
  'wrong.js': null,
  'favicon.ico': null,
  'mark.svg': null,
  'card.png': null,
  'instrument-sans.woff2':
    '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wdth-normal.woff2',
  'instrument-sans-ext.woff2':
    '@fontsource-variable/instrument-sans/files/instrument-sans-latin-ext-wdth-normal.woff2',
  'instrument-sans.txt': '@fontsource-variable/instrument-sans/LICENSE',
  'inconsolata.woff2': '@fontsource-variable/inconsolata/files/inconsolata-latin-wght-normal.woff2',
  'inconsolata.txt': '@fontsource-variable/inconsolata/LICENSE',
} as const;

export type AssetName = keyof typeof FILES;

const NAMES = Object.keys(FILES) as AssetName[];

export function isAssetName(name: unknown): name is AssetName {
  return NAMES.some((each) => each === name);
}

const loaded = new Map<AssetName, Asset>();

/** A file, read once. Files that it names beside itself get their versions, so that a browser keeps all of them. */
export function loadAsset(name: AssetName): Asset {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = FILES[name];
  const bytes = readFileSync(file === null ? path.join(FOLDER, name) : require.resolve(file));
  const ending = path.extname(name);
  const isSource = ending === '.js' || ending === '.css';
  const body = isSource ? withVersions(withoutComments(bytes.toString())) : bytes;
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const asset = { type: TYPES[ending] ?? '', body, version };
  loaded.set(name, asset);
  return asset;
}

/** Comments and indentation are for those who change a file, and were a third of what a page loads. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*\/\*[^]*?\*\/\n|^\s*\/\/.*\n|^[ \t]+/gm, '');
}

function withVersions(source: string): string {
  return source.replaceAll(/'\.\/([\w.-]+)'/g, (all, name: string) =>
    isAssetName(name) ? `'./${name}?v=${loadAsset(name).version}'` : all,
  );
}
