import { BUILDERS, isBuilderId } from '../src/recipes/builders.ts';
import { KEY_PLACEHOLDER } from '../src/recipes/request-fields.ts';
import { writeRecipe } from '../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../src/recipes/recipe-writers.ts';
import { RECIPE_OPERATIONS } from '../src/recipes/recipe-operations.ts';
import type { Recipe } from '../src/recipes/recipe.ts';
import { answerNotes, fullNote } from '../src/recipes/shared-steps.ts';
import { EMPTY, linesOf, type FormField, type Step } from '../src/recipes/steps.ts';
import { endWithReader } from './end-with-reader.ts';

// node scripts/print-recipes.ts [operation] > recipes.md
// Prints the recipes of the docs as Markdown, by default those of the first operation.
endWithReader();
const wanted = process.argv[2] ?? RECIPE_OPERATIONS[0]?.name;
const operation = RECIPE_OPERATIONS.find(({ name }) => name === wanted);
if (operation === undefined) {
  process.stderr.write(`There are recipes for ${RECIPE_OPERATIONS.map(({ name }) => name).join(', ')}.\n`);
  process.exit(2);
}

const fence = (language: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `\n\`\`\`${language}\n${lines.join('\n')}\n\`\`\`\n`;

function printed(step: Step, at: number, recipe: Recipe): string {
  return `${at + 1}. ${step.text}\n${blocksOf(step, recipe)}`;
}

function blocksOf(step: Step, { code, language }: Recipe): string {
  if (step.kind === 'paste') return fence(language, [code]);
  return step.kind === 'fill' ? step.fields.map(printedField).join('') : fence('', linesOf(step));
}

/** The label stands before the block, so that the block can be pasted as it is. */
function printedField([label, ...parts]: FormField): string {
  const name = parts.length > 1 ? ` \`${parts[0]}\`` : '';
  const value = parts.at(-1) ?? '';
  return value === '' ? `\n${label}${name}: ${EMPTY}\n` : `\n${label}${name}:\n${fence('', [value])}`;
}

const request = {
  operation,
  publicUrl: 'https://quartermaster.example',
  key: KEY_PLACEHOLDER,
  fields: {},
};
for (const id of Object.keys(BUILDERS).filter(isBuilderId)) {
  const recipe = writeRecipe(RECIPE_WRITERS[id], request);
  process.stdout.write(
    [
      `#### ${BUILDERS[id].label}\n`,
      recipe.steps.map((step, at) => printed(step, at, recipe)).join(''),
      ...answerNotes(operation, RECIPE_WRITERS[id]).map((note) => `- ${note}`),
      `${fullNote(RECIPE_WRITERS[id], recipe)}\n\n`,
    ].join('\n'),
  );
}
