import type { Response } from 'express';
import * as z from 'zod';

import { isBuilderId } from '../../recipes/builders.ts';
import { Problem } from '../../kernel/problem.ts';
import { withRecipe } from '../../recipes/recipe-operations.ts';
import { SUCCESS_TYPE, writeJson } from '../answer/write-json.ts';
import { NO_FIELDS } from '../locals.ts';
import type { DocumentsOptions } from './documents-options.ts';
import { showRecipe } from './pages/recipe-panel.ts';

/** More than the form of any operation has. */
const FIELDS_MAX = 32;

const RecipeRequest = z.object({
  operation: z.string(),
  tool: z.string().refine(isBuilderId),
  fields: z
    .record(z.string().regex(/^[a-z_]{1,40}$/), z.string())
    .refine((fields) => Object.keys(fields).length <= FIELDS_MAX),
});

/**
 * Sends the recipe that the page shows: `{operation, tool, fields}` → `{html, seen, wrong}`. `tool` is the builder, as in
 * links to the pages; `seen` is the preview of Discord, and `wrong` the rows of *What went wrong?*. It takes no key,
 * because the page fills the key in by itself.
 */
export async function sendRecipe(
  response: Response,
  options: Pick<DocumentsOptions, 'operations' | 'publicUrl' | 'whyUnreachable'>,
): Promise<void> {
  const request = RecipeRequest.safeParse(response.locals.body ?? NO_FIELDS);
  if (!request.success) throw refusal(String(request.error.issues[0]?.path[0]));
  const { operation, tool: builder, fields } = request.data;
  const named = options.operations.find(({ name }) => name === operation);
  const known = named === undefined ? null : withRecipe(named);
  if (known === null) throw refusal('operation');
  const { steps, seen, wrong } = showRecipe(known, builder, options, fields);
  await writeJson(response, SUCCESS_TYPE, {
    ok: true,
    html: steps.html,
    seen: seen.html,
    wrong: wrong?.html ?? '',
  });
}

function refusal(field: string): Problem {
  return new Problem('invalid_field', { field });
}
