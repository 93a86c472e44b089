import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
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

/** The only files of ours that are served, by name: the folders in which they are kept are not part of a URL. */
const OWN = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.extname(file) in TYPES)
    .map((file) => [path.basename(file), path.join(FOLDER, file)]),
);

/** Files of packages, by the names under which they are served. */
const OTHERS: Readonly<Record<string, string>> = {
  'instrument-sans.woff2':
    '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wdth-normal.woff2',
  'instrument-sans-ext.woff2':
    '@fontsource-variable/instrument-sans/files/instrument-sans-latin-ext-wdth-normal.woff2',
  'instrument-sans.txt': '@fontsource-variable/instrument-sans/LICENSE',
  'inconsolata.woff2': '@fontsource-variable/inconsolata/files/inconsolata-latin-wght-normal.woff2',
  'inconsolata.txt': '@fontsource-variable/inconsolata/LICENSE',
};

/** Removes comments, indentation and semicolons at the end of CSS rules, a third of what a page would load. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  '.css': /\/\*[^]*?\*\/|(?<=[{};:,/])\s+|;?\s+(?=[{}])/g,
  '.js': /^\s*\/\*[^]*?\*\/\n|^\s*\/\/.*\n|^[ \t]+|\/\*\* @type .*?\*\/ /gm,
};

const loaded = new Map<string, Asset>();

/**
 * Reads a file once; null when there is no such file. References to other files get their versions, so that
 * browsers may cache all of them.
 */
export function findAsset(name: string): Asset | null {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const other = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
  const file = other === undefined ? OWN.get(name) : require.resolve(other);
  if (file === undefined) return null;
  const bytes = readFileSync(file);
  const ending = path.extname(name);
  const leftOut = LEFT_OUT[ending];
  const body = leftOut === undefined ? bytes : withVersions(bytes.toString().replaceAll(leftOut, ''));
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const asset = { type: TYPES[ending] ?? '', body, version };
  loaded.set(name, asset);
  return asset;
}

function withVersions(source: string): string {
  return source.replaceAll(
    /(?<=')\.{1,2}\/[\w/-]+\.(?:js|svg|woff2)(?=')/g,
    (file) => `./${urlOf(path.basename(file))}`,
  );
}

/** The URL with its version, so that browsers may cache the file. */
export function urlOf(name: string): string {
  const asset = findAsset(name);
  if (asset === null) throw new Error(`There is no file ${name}`);
  return `${name}?v=${asset.version}`;
}
