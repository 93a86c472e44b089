import { RECIPE_BOOKS } from '../src/recipes/recipe-books.ts';
import { isRecipeOperation, RECIPE_OPERATIONS } from '../src/recipes/recipe.ts';

// node scripts/print-recipes.ts [operation] > recipes.md
// The recipes of the documents as Markdown, by default those of parse-args.
const operation = process.argv[2] ?? 'parse-args';
if (!isRecipeOperation(operation)) {
  process.stderr.write(`There are recipes for ${Object.keys(RECIPE_OPERATIONS).join(', ')}.\n`);
  process.exit(2);
}
const order = { operation, publicUrl: 'https://quartermaster.example', key: 'YOUR_API_KEY', fields: {} };
for (const book of Object.values(RECIPE_BOOKS)) {
  const { code, language, note } = book.write(order);
  process.stdout.write(`#### ${book.label}\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n${note}\n\n`);
}
