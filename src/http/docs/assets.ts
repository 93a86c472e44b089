import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { Document } from './send-document.ts';

export interface Asset extends Document {
  /** Changes whenever the content does. */
  readonly version: string;
}

const OWN = path.join(import.meta.dirname, 'assets');
const SWAGGER = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The only files that are served, by name. */
const FILES = {
  'docs.css': { folder: OWN, type: 'text/css; charset=utf-8' },
  'docs.js': { folder: OWN, type: 'text/javascript; charset=utf-8' },
  'reference.css': { folder: OWN, type: 'text/css; charset=utf-8' },
  'reference.js': { folder: OWN, type: 'text/javascript; charset=utf-8' },
  'icon.svg': { folder: OWN, type: 'image/svg+xml' },
  'swagger-ui.css': { folder: SWAGGER, type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { folder: SWAGGER, type: 'text/javascript; charset=utf-8' },
} as const;

export type AssetName = keyof typeof FILES;

export const ASSET_NAMES = Object.keys(FILES) as AssetName[];

const loaded = new Map<AssetName, Asset>();

/** A file, read once. */
export function loadAsset(name: AssetName): Asset {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const { folder, type } = FILES[name];
  const body = readFileSync(path.join(folder, name));
  const version = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const asset = { type, body, version };
  loaded.set(name, asset);
  return asset;
}

/** Address of a file, relative to /docs; browsers may keep it for ever. */
export function assetAddress(name: AssetName): string {
  return `docs/${name}?v=${loadAsset(name).version}`;
}
