import { describe, expect, test } from 'vitest';

import { flatten } from '../../../src/http/answer/flat.ts';
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { RECIPE_OPERATIONS, type RecipeOperation } from '../../../src/recipes/recipe-operations.ts';
import { SENTENCES } from '../../../src/recipes/sentences.ts';
import { extract, lets, runForm, refusal, type FormBuilder } from './form-runner.ts';
import { EXECUTION_ID, runMake } from './make-runner.ts';

// What a flow does that somebody has built from the steps of a recipe. That its request works is in recipes.test.ts.

const BUILDERS: readonly FormBuilder[] = ['botghost', 'kite', 'discord_bot_maker', 'make', 'zapier'];
/** Builders that are asked to read lists. */
const READS_LISTS = new Set<FormBuilder>(['make', 'zapier']);

const write = (builder: FormBuilder | 'n8n', operation: RecipeOperation) =>
  writeRecipe(RECIPE_WRITERS[builder], {
    operation,
    publicUrl: 'https://qm.example',
    key: 'qm_key',
    fields: {},
  });

function operationOf(command: string): RecipeOperation {
  const found = RECIPE_OPERATIONS.find(({ recipe }) => recipe.command === command);
  if (found === undefined) throw new Error(`No recipe is !${command}`);
  return found;
}

function run(builder: FormBuilder, operation: RecipeOperation, changes: Record<string, unknown> = {}) {
  const answer = { ...operation.example.answer, ...changes };
  // Chunks and roles are read as lists, everything else as texts, in Discord Bot Maker.
  const isFlat =
    !READS_LISTS.has(builder) &&
    (builder !== 'discord_bot_maker' || !/^(?:send_chunks|list_roles)$/.test(String(operation.recipe.use)));
  return runForm(builder, write(builder, operation), isFlat ? flatten(answer, null) : answer);
}

describe.each(BUILDERS)('a flow of %s', (builder) => {
  test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'with %s replies as the page shows',
    (_name, operation) => {
      const { seen } = write(builder, operation);
      const said = seen.filter(({ from }) => from === 'bot').map(({ text }) => text);
      expect(run(builder, operation).messages).toEqual(said);
    },
  );

  test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'with %s reports once why it failed, and has no other effect',
    (_name, operation) => {
      const error = 'Too many requests for this server.';
      const answer = { ok: false, status: 429, code: 'rate_limited', error };
      expect(runForm(builder, write(builder, operation), answer)).toEqual({ messages: [error], acts: [] });
    },
  );

  test.each([
    ['no member', { user_id: null }, /^Name a member/],
    ['no time', { duration_seconds: null }, /at most 28 days/],
    ['neither', { user_id: null, duration_seconds: null }, /^Name a member/],
    ['more than 28 days', { duration_seconds: 2_505_600 }, /at most 28 days/],
  ])('explains once how to write a line with %s, and has no other effect', (_what, changes, expected) => {
    const { messages, acts } = run(builder, operationOf('timeout'), changes);
    expect(messages).toEqual([expect.stringMatching(expected)]);
    expect(acts).toEqual([]);
  });

  test('shows how many members each role has', () => {
    const roles = [
      { role_id: '31', count: 12 },
      { role_id: '32', count: 7 },
    ];
    const text = run(builder, operationOf('countmembers'), { members: 5001, roles }).messages.join('\n');
    expect(text).toMatch(/^5001 members\b/);
    expect(text).toMatch(builder === 'zapier' ? /31, 32.*12, 7$/s : /31: 12.*32: 7$/s);
  });

  test('ends in nothing but the time for a time out without a reason', () => {
    const { messages } = run(builder, operationOf('timeout'), { reason: null });
    // Discord takes the blank at the end off.
    expect(messages.map((text) => text.trim())).toEqual([expect.stringMatching(/is timed out for 7d\.$/)]);
  });

  test('reports once the progress of a running listing', () => {
    const error = 'Still reading this server: 41,000 of about 250,000 members so far.';
    const { messages } = runForm(builder, write(builder, operationOf('rolemembers')), { ok: false, error });
    expect(messages).toEqual([error]);
  });

  test.each([['stopped', { state: 'stopped', reason: 'Look first.' }, /^Look first\.$/]])(
    'reports once that a text %s',
    (_how, changes, expected) => {
      expect(run(builder, operationOf('announce'), changes).messages).toEqual([
        expect.stringMatching(expected),
      ]);
    },
  );

  test('reports once that a picture cannot be an emoji', () => {
    const { messages, acts } = run(builder, operationOf('addemoji'), { emoji_ok: false });
    expect(messages).toEqual([expect.stringMatching(/too large for an emoji/)]);
    expect(acts).toEqual([]);
  });
});

test.each(['make', 'zapier'] as const)(
  '%s asks for 200, because any other status ends the flow',
  (builder) => {
    for (const operation of RECIPE_OPERATIONS) {
      const request = write(builder, operation).steps.find(
        (step) => step.kind === 'fill' && step.fields.some(([label]) => label === 'URL'),
      );
      expect(request).toMatchObject({
        fields: expect.arrayContaining([[expect.any(String), 'always_200', 'true']]) as unknown,
      });
    }
  },
);

test.each(['make', 'zapier'] as const)('%s pings no one with user input', (builder) => {
  const { messages } = run(builder, operationOf('timeout'), { reason: '@everyone' });
  expect(messages).toEqual([expect.stringContaining('＠everyone')]);
});

test.each(['makerole', 'decode', 'post', 'announce', 'rolemembers'])(
  'the word of %s is not sent with its text',
  (command) => {
    const operation = operationOf(command);
    const sent = (builder: FormBuilder) =>
      write(builder, operation)
        .steps.flatMap((step) => (step.kind === 'fill' ? step.fields : []))
        .map((field) => field.at(-1));
    expect(sent('make')).toContain(`{{replace(1.content; "/^!${command}\\b\\s*/"; emptystring)}}`);
    expect(sent('zapier')).toContain('{{Output 1}}');
    const text = `say !${command}\nto them`;
    expect(extract(write('zapier', operation), `!${command}\n ${text}`)).toMatchObject({ output_1: text });
  },
);

test.each(['botghost', 'kite', 'discord_bot_maker'] as const)(
  '%s times a member out by seconds',
  (builder) => {
    const { acts } = run(builder, operationOf('timeout'), { duration_seconds: 7200, duration: '2h' });
    expect(acts.find(([label]) => /^(?:Duration|Time$)/.test(label))?.at(-1)).toBe('7200');
  },
);

describe.each(['make', 'zapier'] as const)('!timeout of %s', (builder) => {
  const recipe = write(builder, operationOf('timeout'));

  test('asks Discord to time the member out until then', () => {
    const acts = run(builder, operationOf('timeout'), { until_iso: '2026-01-15T12:00:00.000Z' }).acts.map(
      ([, ...rest]) => rest.join(' '),
    );
    const written = acts.join('\n');
    expect(written).toContain('PATCH');
    expect(written).toContain('https://discord.com/api/v10/guilds/YOUR_SERVER_ID/members/123456789012345678');
    expect(written).toContain('Bot YOUR_BOT_TOKEN');
    expect(written).toContain('{"communication_disabled_until":"2026-01-15T12:00:00.000Z"}');
    expect(recipe.code).toContain('timestamps = true');
  });

  test('has a reply for when Discord refuses', () => {
    expect(refusal(recipe)).toBe(SENTENCES.forbidden);
  });
});

describe.each(['discord_bot_maker', 'make', 'zapier'] as const)('!addemoji of %s', (builder) => {
  const operation = operationOf('addemoji');
  const image = 'data:image/png;base64,iVBOR';

  test('asks Discord to make the emoji, and says so', () => {
    const { acts, messages } = run(builder, operation, { data_uri: image });
    const written = acts.map(([, ...rest]) => rest.join(' ')).join('\n');
    expect(written).toMatch(/https:\/\/discord\.com\/api\/v10\/guilds\/[^/]+\/emojis/);
    expect(written).toContain('Bot YOUR_BOT_TOKEN');
    expect(written).toContain(`{"name":"new_emoji","image":"${image}"}`);
    expect(messages).toEqual(['New emoji: new_emoji']);
  });

  test('has a reply for when Discord refuses', () => {
    const recipe = write(builder, operation);
    const answer = flatten(operation.example.answer, null);
    const refused = { message: 'Missing Permissions', code: 50_013 };
    const { messages } = runForm(builder, recipe, answer, {}, refused);
    expect(refusal(recipe) ?? messages.join('\n')).toBe(SENTENCES.forbidden);
  });
});

test.each([
  ['make', 'Switch the scenario on'],
  ['zapier', 'Publish the Zap'],
  ['n8n', 'Publish the workflow'],
] as const)('the last step of every recipe of %s starts it for good', (builder, last) => {
  const texts = RECIPE_OPERATIONS.map((operation) => write(builder, operation).steps.at(-1)?.text ?? '');
  expect(texts.filter((text) => !text.startsWith(last))).toEqual([]);
});

test.each(['botghost', 'zapier'] as const)('%s has a value to test each request with', (builder) => {
  for (const operation of RECIPE_OPERATIONS) {
    const texts = write(builder, operation).steps.map(({ text }) => text);
    const whole = [operation.example.input[operation.recipe.field]].flat().join(', ');
    // The option of BotGhost's slash command has no command before it.
    const isOption = builder === 'botghost' && operation.recipe.filledBy === 'line';
    const value = isOption ? whole.replace('!tempban ', '') : whole;
    expect(value).not.toBe('');
    const isId = /^(?:role|user|guild)$/.test(operation.recipe.filledBy);
    // The ids of the examples are nobody's.
    const saysWhat = (text: string) =>
      isId ? /type the id of .*\*Copy (?:Role|User|Server) ID\*/.test(text) : text.includes(`\`${value}\``);
    const test = texts.findIndex((text) => text.includes('first test') && saysWhat(text));
    expect(test).toBeGreaterThan(-1);
    expect(texts.findIndex((text) => /\*Test Request\*|^Test the step/.test(text))).toBe(test + 1);
  }
});

/** The steps of !post, as text. */
const textsOf = (builder: FormBuilder) =>
  write(builder, operationOf('post'))
    .steps.map(({ text }) => text)
    .join('\n');

test('Make and Zapier say which trigger gives the text, and where it goes', () => {
  expect(textsOf('make')).toMatch(/Watch Channel Messages.*`1\.content`/);
  expect(textsOf('zapier')).toContain('New Message Posted to Channel');
});

test('every recipe that uploads its picture asks for one that fits an emoji', () => {
  for (const builder of ['make', 'zapier', 'botghost', 'kite', 'discord_bot_maker', 'n8n'] as const) {
    const { code } = write(builder, operationOf('addemoji'));
    expect([builder, /\bfor\b.{0,40}emoji/s.test(code), /\bfit\b.{0,40}true/s.test(code)]).toEqual([
      builder,
      true,
      true,
    ]);
  }
});

describe.each(['make', 'zapier'] as const)('the filter of %s', (builder) => {
  test.each(RECIPE_OPERATIONS.map(({ recipe }) => recipe.command))(
    'lets messages whose first word is !%s through, and no others',
    (command) => {
      const recipe = write(builder, operationOf(command));
      const gate = recipe.steps.find(({ key }) => key === `${builder}.gate`);
      expect(JSON.stringify(gate)).toContain(builder === 'make' ? '{{1.content}}' : '{{your text}}');
      for (const text of [`!${command}`, `!${command} something`, `!${command}\nsomething`]) {
        expect([text, lets(builder, recipe, text)]).toEqual([text, true]);
      }
      for (const text of [`hello !${command}`, '!other', `!${command}er`, `!${command}-er`]) {
        expect([text, lets(builder, recipe, text)]).toEqual([text, false]);
      }
    },
  );
});

test.each([
  ['addemoji', '{{1.attachments[1].url}}'],
  ['mypermissions', '{{1.author.id}}'],
  ['countmembers', 'YOUR_SERVER_ID'],
])('Make fills !%s with %s, as its trigger calls it', (command, place) => {
  const { steps, code } = write('make', operationOf(command));
  expect(code).toContain(place);
  const named = place.replaceAll(/[{}]/g, '');
  expect(steps.map(({ text }) => text)).toContainEqual(expect.stringContaining(`\`${named}\``));
});

test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
  'Discord Bot Maker names with %s the action that stores what somebody wrote',
  (_name, operation) => {
    const { steps } = write('discord_bot_maker', operation);
    const storing = steps.filter(({ text }) => /^Add \*Store [\w ]+\*/.test(text));
    expect(storing.map(({ text }) => text)).toEqual([
      expect.stringContaining(`*Temp Variable* with the name \`${operation.recipe.field}\``),
    ]);
  },
);

test('Discord Bot Maker says when the member is not in the server', () => {
  const operation = operationOf('timeout');
  const answer = flatten(operation.example.answer, null);
  const { messages } = runForm('discord_bot_maker', write('discord_bot_maker', operation), answer, null);
  expect(messages).toEqual([SENTENCES.noMember('!')]);
});

test.each(['botghost', 'discord_bot_maker'] as const)('%s reports when no response arrived', (builder) => {
  const { messages } = runForm(builder, write(builder, operationOf('timeout')), {});
  expect(messages).toEqual(['The service cannot be reached. Try again in a minute.']);
});

test('BotGhost asks the reader for each variable of a step', () => {
  for (const operation of RECIPE_OPERATIONS) {
    const { steps } = write('botghost', operation);
    const asked = steps.flatMap((step) => (step.kind === 'name' ? step.variables : []));
    const after = steps.slice(steps.findIndex(({ kind }) => kind === 'name') + 1);
    const used = [...JSON.stringify(after).matchAll(/\((\w+)\)/g)].map(([, name]) => name);
    expect(used.filter((name) => name !== undefined && !asked.includes(name))).toEqual([]);
  }
});

describe('Make with the rest of a long text', () => {
  const MORE = { ok: true, state: 'stopped', rest: 'more', reason: 'There is more.', retry_after: 0 };
  const SENT = { ok: true, state: 'sent', rest: null, reason: null, retry_after: null };

  /** @param answers to the calls after the first one, whose answer is `MORE`. The last one stays. */
  function runRest(fields: Record<string, string>, ...answers: readonly Record<string, unknown>[]) {
    const request = {
      operation: operationOf('announce'),
      publicUrl: 'https://qm.example',
      key: 'qm_key',
      fields,
    };
    const step = writeRecipe(RECIPE_WRITERS.make, request).steps.find(({ key }) => key === 'make.rest');
    if (step?.kind !== 'fill') throw new Error('The recipe has no such step');
    const asked: Record<string, unknown>[] = [];
    const first = { data: { ...MORE, channel_id: '1' } };
    const result = runMake(step.fields, { 2: first }, (given, headers) => {
      asked.push({ ...given, ...headers });
      return answers[Math.min(asked.length, answers.length) - 1] ?? {};
    });
    return { ...result, asked };
  }

  test('sends it, each part with a key of its own in this run, and reports once when all is posted', () => {
    const { messages, slept, asked } = runRest({}, { ...MORE, rest: 'last', retry_after: 7 }, SENT);
    expect(messages).toEqual(['All of it is posted.']);
    // Make cannot sleep for less than a second.
    expect(slept).toEqual([1, 7]);
    const key = expect.stringMatching(new RegExp(`^${EXECUTION_ID}-[0-9a-f]{32}$`));
    expect(asked).toEqual([
      { text: 'more', always_200: 'true', 'Idempotency-Key': key },
      { text: 'last', always_200: 'true', 'Idempotency-Key': key },
    ]);
    expect(asked[0]?.['Idempotency-Key']).not.toBe(asked[1]?.['Idempotency-Key']);
  });

  test('continues in the thread that the first messages have made', () => {
    const { asked } = runRest({ thread_name: 'News', applied_tags: '5' }, SENT);
    expect(asked).toEqual([expect.objectContaining({ text: 'more', thread_id: '1' })]);
    expect(asked[0]).not.toHaveProperty('thread_name');
    expect(asked[0]).not.toHaveProperty('applied_tags');
  });

  test('sends the same part again, with the same key, after a failure that posted no message', () => {
    const { messages, slept, asked } = runRest({}, { ok: false, error: 'Busy.', retry_after: 900 }, SENT);
    expect(messages).toEqual(['All of it is posted.']);
    expect(slept).toEqual([1, 300]);
    expect(asked[1]).toEqual(asked[0]);
  });

  test.each([
    ['it is not known whether a message arrived', { reason: 'Look first.', rest: 'x' }, 'Look first.'],
    ['a failure would come again', { ok: false, error: 'No @everyone.' }, 'No ＠everyone.'],
  ])('ends and says why when %s', (_when, answer, expected) => {
    const { messages, asked } = runRest({}, { ok: true, retry_after: null, ...answer });
    expect([messages, asked.length]).toEqual([[expected], 1]);
  });

  test('ends after ten calls in all, and says why', () => {
    const { messages, asked } = runRest({}, MORE);
    expect([messages, asked.length]).toEqual([['There is more.'], 9]);
  });
});
