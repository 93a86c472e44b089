import { expect, test } from 'vitest';

import { send } from '../../../src/operations/send/operation.ts';
import { textSplitter } from '../../../src/operations/text-splitter/operation.ts';
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { withRecipe } from '../../../src/recipes/recipe-operations.ts';

const PINGS = 'A chunk pings whoever it mentions';

test.each(['make', 'n8n', 'zapier'] as const)(
  'the recipe for %s says that chunks ping, and the one of send, which pings nobody, does not',
  (name) => {
    const noteOf = (of: typeof send | typeof textSplitter) => {
      const operation = withRecipe(of);
      if (operation === null) throw new Error('It has a recipe.');
      return writeRecipe(RECIPE_WRITERS[name], {
        operation,
        publicUrl: 'https://qm.example',
        key: 'KEY',
        fields: {},
      }).note;
    };
    expect(noteOf(textSplitter)).toContain(PINGS);
    expect(noteOf(send)).not.toContain(PINGS);
  },
);
