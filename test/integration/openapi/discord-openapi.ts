import { existsSync, readFileSync } from 'node:fs';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { compileSchema } from '../../fixtures/compile-schema.ts';
import type { Simulator } from '../../simulator/simulator.ts';

const named = process.env['DISCORD_OPENAPI'] ?? '';

/** The file of Discord's published OpenAPI document; null where nobody has named one that is there. */
const DISCORD_OPENAPI_FILE = named !== '' && existsSync(named) ? named : null;

/**
 * True when tests that need the document are left out, which is said once. Nothing can start it, as it is not a
 * service.
 */
export function isDiscordOpenapiMissing(): boolean {
  if (DISCORD_OPENAPI_FILE !== null) return false;
  process.stderr.write(
    "Skipped: tests against Discord's OpenAPI document; DISCORD_OPENAPI names no file of it (specs/openapi.json of discord/discord-api-spec)\n",
  );
  return true;
}

/** A check of values against a schema of the document. */
export function compileDiscordSchema(name: string): ValidateFunction {
  if (DISCORD_OPENAPI_FILE === null) throw new Error('DISCORD_OPENAPI names no file');
  const schema = { $ref: `discord#/components/schemas/${name}` };
  return compileSchema(loadDocument(DISCORD_OPENAPI_FILE), schema, 42);
}

/** Where to find the schema of a call's body in the document. */
const BODIES: Readonly<Record<string, readonly [path: string, method: string]>> = {
  'PUT /applications/:application/commands': ['/applications/{application_id}/commands', 'put'],
  'POST /interactions/:interaction/:token/callback': [
    '/interactions/{interaction_id}/{interaction_token}/callback',
    'post',
  ],
  'POST /webhooks/:application/:token': ['/webhooks/{webhook_id}/{webhook_token}', 'post'],
  'PATCH /webhooks/:application/:token/messages/:message': [
    '/webhooks/{webhook_id}/{webhook_token}/messages/@original',
    'patch',
  ],
};

/** Calls that passed. Most tests register the same commands, which take long to check. */
const documented = new Set<string>();

let validators: ReadonlyMap<string, ValidateFunction> | null = null;

/** A part of a JSON pointer inside an address. */
function pointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function loadDocument(file: string): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'discord');
  return ajv;
}

function loadValidators(file: string): ReadonlyMap<string, ValidateFunction> {
  const ajv = loadDocument(file);
  return new Map(
    Object.entries(BODIES).map(([route, [path, method]]) => {
      const where = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
      return [route, compileSchema(ajv, { $ref: `discord#/${where.map(pointer).join('/')}` }, 42)];
    }),
  );
}

/**
 * Checks all bodies that Discord was sent against its own document; without the document there is nothing to check.
 * @throws Error that names the first body that does not fit
 */
export function checkDiscordBodies(discord: Simulator): void {
  if (DISCORD_OPENAPI_FILE === null) return;
  validators ??= loadValidators(DISCORD_OPENAPI_FILE);
  for (const { route, body } of discord.rest.calls) {
    const validate = validators.get(route ?? '');
    if (validate === undefined) continue;
    const call = `${route} ${JSON.stringify(body)}`;
    if (documented.has(call)) continue;
    if (validate(body)) {
      documented.add(call);
      continue;
    }
    const reasons = validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(
      `${route} is not what Discord documents: ${reasons?.slice(0, 10).join('; ')}\n${JSON.stringify(body, null, 2)}`,
    );
  }
}
