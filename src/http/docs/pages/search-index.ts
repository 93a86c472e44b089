import { setImmediate as nextIteration } from 'node:timers/promises';

import { BUILDERS } from '../../../recipes/builders.ts';
import type { Operation } from '../../../operations/operation.ts';
import { withRecipe } from '../../../recipes/recipe-operations.ts';
import { sentenceOf, STATUSES } from '../../../kernel/problem.ts';
import { toObjectSchema, type Schema } from '../../openapi/json-schema.ts';
import { PARAMETERS } from '../../openapi/parameters.ts';
import { PROBLEM_CODES } from '../../openapi/problem-codes.ts';
import { presentationOf } from '../operations/presentations.ts';
import { DOCS_SECTIONS } from './sidebar.ts';
import { THIRD_PARTY_ERRORS } from './third-party-errors.ts';
import { GUIDE_NAMES, guideSections, guideTitle, inlineMarkdown, markdown, plainText } from './guides.ts';
import { Markup } from './layout.ts';

/** One result of the search. URLs are relative to the start page. */
export type SearchEntry = readonly [title: string, kind: string, path: string, text: string, words?: string];

/** People type the whole question. All of its words must occur. */
const QUESTIONS: readonly SearchEntry[] = [
  [
    'Why may somebody not do this?',
    'Question',
    'docs/permission-check',
    'permission-check names the rule that decides, about members and bots.',
    "can can't cannot my the a bot role write send talk speak message messages channel join ban kick mute timeout give roles",
  ],
  [
    'How many people have a role?',
    'Question',
    'docs/role-members',
    'role-members counts those who have one role, and role-counts those of every role.',
    'many members users has booster boosters',
  ],
  [
    'How do I send a long answer of an AI?',
    'Question',
    'docs/text-splitter',
    'text-splitter cuts it into messages, and send posts it in one call.',
    'ai answer answers reply too chatgpt gpt openai model text',
  ],
  [
    'Where do I get an API key?',
    'Question',
    'docs#key',
    'An administrator of the server makes it with a command of the bot.',
    'a keys find have apikey create make new',
  ],
  [
    'How do I add the bot to my server?',
    'Question',
    './#steps',
    'With the link of the first page. You need Manage Server there.',
    'invite install join link authorize',
  ],
  [
    'How do I read the parts of a command?',
    'Question',
    'docs/parse-args',
    'parse-args reads the member, the time and the reason from a line.',
    'parse arguments args convert 1h 7d seconds time duration into to timeout make warning warnings',
  ],
  [
    'Why is a variable not replaced?',
    'Question',
    'docs#unresolved_placeholder',
    'The builder has sent the name of the variable in place of its value.',
    'placeholder variables my in braces brackets literally',
  ],
  [
    'What does it cost?',
    'Question',
    './#cost',
    'Nothing. Each server has a number of calls a minute.',
    'price pricing pay paid free premium plan money',
  ],
  [
    'How do I have my data deleted?',
    'Question',
    'docs/privacy#how-to-have-it-deleted',
    'What the service keeps, and how to have it deleted.',
    'delete remove gdpr',
  ],
  [
    'How do I greet new members?',
    'Question',
    'docs/recipes#greet-members-who-got-a-role',
    'A welcome message for members who got a role.',
    'welcome message messages',
  ],
];

/** The head of a block of code says the same for each. */
const CODE_HEAD = /<header><strong>Code<\/strong><button[^<>]*>Copy<\/button><\/header>/g;

/** All entries of the search: operations, their fields and keys, problems, builders and guides. */
export async function makeSearchIndex(operations: readonly Operation[]): Promise<readonly SearchEntry[]> {
  const guides: SearchEntry[] = [];
  for (const name of GUIDE_NAMES) {
    for (const { level, id, title, source } of guideSections(name)) {
      const kind = level === 1 ? 'Guide' : `Guide: ${guideTitle(name)}`;
      const drawn = markdown(source.replace(/^#.*\n/, '')).html.replaceAll(CODE_HEAD, '');
      const body = plainText(new Markup(drawn));
      guides.push([title, kind, level === 1 ? `docs/${name}` : `docs/${name}#${id}`, body]);
      await nextIteration();
    }
  }
  // Every page of an operation has the box into which errors are pasted.
  const wrong = `docs/${operations[0]?.name}#wrong`;
  return [
    [
      'Choose your builder, paste your key',
      'Start',
      'docs',
      'The recipes for your builder, with your key.',
      'start',
    ],
    ...operations.map(operationEntry),
    ...operations.flatMap(requestEntries),
    ...QUESTIONS,
    ...Object.entries(BUILDERS).map(([id, { label }]): SearchEntry => {
      return [`Recipes for ${label}`, 'Builder', `docs?tool=${id}`, 'Whole commands to copy.'];
    }),
    ...PROBLEM_CODES.map((code): SearchEntry => {
      const { error, hint } = sentenceOf(code);
      return [
        code,
        `Problem ${STATUSES[code]}`,
        `docs#${code}`,
        plainText(inlineMarkdown(`${error} ${hint ?? ''}`)),
        String(STATUSES[code]),
      ];
    }),
    ['Error', 'Docs', wrong, 'What went wrong? Paste an error, and read what to do.', 'help support'],
    ...optionEntries(),
    ...operations.flatMap(fieldEntries),
    // A search for a status leads to the codes that have it.
    ...THIRD_PARTY_ERRORS.filter(({ isFallback }) => !isFallback).map(({ known, why, what }): SearchEntry => {
      const [title = '', ...others] = known;
      const text = plainText(inlineMarkdown(`${why} ${what}`));
      return [title, 'Error of Discord or a builder', wrong, text, others.join(' ')];
    }),
    ...Object.entries(DOCS_SECTIONS).map(([id, title]): SearchEntry => [title, 'Docs', `docs#${id}`, '']),
    ...guides,
  ];
}

function operationEntry(operation: Operation): SearchEntry {
  const { name, summary } = operation;
  const { group, inOut, uses = '' } = presentationOf(operation);
  return [name, 'Operation', `docs/${name}`, summary, `${group} ${inOut.join(' ')} ${uses}`];
}

/** Readers search for the language in which they write code. */
function requestEntries(operation: Operation): SearchEntry[] {
  const { name } = operation;
  const about = (id: string, title: string, text: string): SearchEntry => {
    return [`${name}: ${title}`, 'Operation', `docs/${name}#${id}`, text];
  };
  return [
    about('try', 'the request', 'As curl, JavaScript and Python, with what you fill in.'),
    ...(withRecipe(operation) === null
      ? []
      : [about('recipe', 'the recipe', 'A whole command for your builder.')]),
  ];
}

/** Readers search for them by name, as for fields. No operation has them in its own list. */
function optionEntries(): SearchEntry[] {
  return ['flat', 'separator', 'always_200'].map((name): SearchEntry => {
    const text = plainText(inlineMarkdown(PARAMETERS[name]?.description ?? ''));
    return [name, 'Option of every call', 'docs#options', text];
  });
}

/** A field and a key of the same name are two entries, each with a link to its own explanation. */
function fieldEntries(operation: Operation): SearchEntry[] {
  const { name, input, output } = operation;
  const { words = {} } = presentationOf(operation);
  const toEntries = (properties: Readonly<Record<string, Schema>>, kind: string, anchor: string) =>
    Object.entries(properties)
      .filter(([key]) => key !== 'ok')
      .map(([key, { description }]): SearchEntry => {
        const text = typeof description === 'string' ? plainText(inlineMarkdown(description)) : '';
        return [key, `${kind} of ${name}`, `docs/${name}#${anchor}`, text, words[key] ?? ''];
      });
  return [
    ...toEntries(toObjectSchema(input, 'input').properties, 'Field', 'fields'),
    ...toEntries(toObjectSchema(output, 'output').properties, 'Key', 'answer'),
  ];
}
