import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Document } from './send-document.ts';

export interface Asset extends Document {
  /** Changes whenever the content does. */
  readonly version: string;
}

const FOLDER = path.join(import.meta.dirname, 'assets');

/** The only files that are served, with their types. */
const FILES = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'key.js': 'text/javascript; charset=utf-8',
  'colours.js': 'text/javascript; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'discord-markdown.js': 'text/javascript; charset=utf-8',
  'answer.js': 'text/javascript; charset=utf-8',
  'recipes.js': 'text/javascript; charset=utf-8',
  'permissions.js': 'text/javascript; charset=utf-8',
  'favicon.ico': 'image/x-icon',
  'icon.svg': 'image/svg+xml',
  'card.png': 'image/png',
} as const;

export type AssetName = keyof typeof FILES;

export const ASSET_NAMES = Object.keys(FILES) as AssetName[];

const loaded = new Map<AssetName, Asset>();

/** A file, read once. */
export function loadAsset(name: AssetName): Asset {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const body = readFileSync(path.join(FOLDER, name));
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const asset = { type: FILES[name], body, version };
  loaded.set(name, asset);
  return asset;
}
