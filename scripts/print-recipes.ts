import { OPERATIONS } from '../src/operations/index.ts';
import { RECIPE_BOOKS } from '../src/recipes/recipe-books.ts';
import { answerNotes, fullNote, hasRecipe } from '../src/recipes/recipe.ts';

// node scripts/print-recipes.ts [operation] > recipes.md
// Prints the recipes of the docs as Markdown, by default those of the first operation.
const operations = OPERATIONS.filter(hasRecipe);
const wanted = process.argv[2] ?? operations[0]?.name;
const operation = operations.find(({ name }) => name === wanted);
if (operation === undefined) {
  process.stderr.write(`There are recipes for ${operations.map(({ name }) => name).join(', ')}.\n`);
  process.exit(2);
}
const order = { operation, publicUrl: 'https://quartermaster.example', key: 'YOUR_API_KEY', fields: {} };
const listed = (steps: readonly string[]) => steps.map((step) => `- ${step}\n`).join('');
if (answerNotes(operation).length > 0) process.stdout.write(`${listed(answerNotes(operation))}\n`);
for (const book of Object.values(RECIPE_BOOKS)) {
  const recipe = book.write(order);
  process.stdout.write(
    [
      `#### ${book.label}\n`,
      listed(recipe.before),
      `\`\`\`${recipe.language}\n${recipe.code}\n\`\`\`\n`,
      listed(recipe.afterwards),
      `${fullNote(book, recipe)}\n\n`,
    ].join('\n'),
  );
}
