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
  'icon.svg': 'image/svg+xml',
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

/** Address of a file, relative to /docs; browsers may keep it for ever. */
export function assetAddress(name: AssetName): string {
  return `docs/${name}?v=${loadAsset(name).version}`;
}
