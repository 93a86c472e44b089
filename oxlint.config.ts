import { defineConfig, type OxlintOverride } from 'oxlint';

/** Each is the business of few folders. */
const LIBRARIES = ['express', 'discord.js', '@discordjs/*', 'ws', 'undici', 'keyv', 'pg', 'ioredis', 'pino'];
const INPUT_OUTPUT = [
  'node:fs*',
  'node:net',
  'node:http*',
  'node:dns*',
  'node:child_process',
  'node:process',
  'process',
];

interface Rule {
  /** Folders besides kernel/ and its own that it imports; all of them for `*`. */
  readonly folders: readonly string[] | '*';
  readonly libraries: readonly string[];
  /** Patterns for parts of those folders that it leaves alone; `!` in front excepts what follows. */
  readonly except?: readonly (readonly string[])[];
  readonly pure?: true;
  /** What the folder is, in a sentence that says what to do instead. */
  readonly message: string;
}

const SHELL =
  'http/ and discord/ are the two shells and never import one another. A shell imports operations/, guild-keys/, rate-limit/, recipes/ and the kernel; what it needs of the other parts comes from app/ as an option.';
const INTERFACES_OF_DELIVERIES = [
  '**/deliveries/**',
  '!**/deliveries/deliveries.ts',
  '!**/deliveries/webhook.ts',
];
const INTERFACES_OF_IMAGES = ['**/images/**', '!**/images/image-fetcher.ts', '!**/images/targets.ts'];

/** Every folder of src may import kernel/ and what stands here. */
const FOLDERS: Readonly<Record<string, Rule>> = {
  kernel: {
    folders: [],
    libraries: [],
    message:
      'kernel/ imports nothing of the other folders, because all of them import it. What one folder alone needs belongs there.',
  },
  app: {
    folders: '*',
    libraries: [],
    message: 'app/ puts the parts together. What speaks to a library is a part.',
  },
  config: {
    folders: [],
    libraries: [],
    message:
      'config/ reads the environment into one zod object and opens nothing. app/ hands on what each part needs.',
  },
  telemetry: {
    folders: [],
    libraries: ['pino'],
    message: 'telemetry/ imports the kernel alone, as all others may import its types.',
  },
  operations: {
    folders: ['members', 'images', 'deliveries'],
    libraries: [],
    except: [['**/members/*/**'], INTERFACES_OF_IMAGES, INTERFACES_OF_DELIVERIES],
    pure: true,
    message:
      'operations/ is the core: it imports the kernel and the interfaces of members/ (its own files, not those of its parts), images/ (image-fetcher, targets) and deliveries/ (deliveries, webhook), and does no I/O. What it needs comes as the second argument of run().',
  },
  recipes: {
    folders: ['operations'],
    libraries: [],
    pure: true,
    message:
      'recipes/ writes texts and does no I/O, except that code/templates.ts reads templates/. It imports operations/ and the kernel.',
  },
  upstream: {
    folders: [],
    libraries: ['@discordjs/*', 'undici'],
    message:
      'upstream/ calls Discord with secrets that callers bring. It imports the kernel alone; members/ and deliveries/ import it.',
  },
  members: {
    folders: ['upstream', 'telemetry'],
    libraries: [],
    message:
      'members/ imports upstream/ and the kernel alone, so that it can be read and tested by itself. app/ brings parts together.',
  },
  images: {
    folders: ['telemetry'],
    libraries: ['undici'],
    message:
      'images/ imports the kernel alone, so that it can be read and tested by itself. app/ brings parts together.',
  },
  deliveries: {
    folders: ['upstream', 'telemetry'],
    libraries: [],
    message:
      'deliveries/ imports upstream/ and the kernel alone, and receives bodies that are ready to be sent. app/ brings parts together.',
  },
  'rate-limit': {
    folders: ['telemetry'],
    libraries: ['ioredis'],
    message:
      'rate-limit/ imports the kernel alone. Keys and limits do not know one another: app/admission.ts brings them together.',
  },
  storage: {
    folders: ['telemetry'],
    libraries: ['keyv', 'pg', 'ioredis'],
    message:
      'storage/ imports the kernel alone, so that it can be read and tested by itself. app/ brings parts together.',
  },
  'guild-keys': {
    folders: ['storage', 'telemetry'],
    libraries: [],
    message:
      'guild-keys/ imports storage/ and the kernel. Keys and limits do not know one another: app/admission.ts brings them together.',
  },
  cluster: {
    folders: ['members', 'deliveries', 'rate-limit', 'storage', 'telemetry'],
    libraries: ['ioredis'],
    message: 'cluster/ imports members/, deliveries/, rate-limit/, storage/ and the kernel.',
  },
  discord: {
    folders: [
      'operations',
      'members',
      'images',
      'deliveries',
      'guild-keys',
      'rate-limit',
      'recipes',
      'telemetry',
    ],
    libraries: ['discord.js', 'ws'],
    except: [INTERFACES_OF_IMAGES, INTERFACES_OF_DELIVERIES],
    message: `${SHELL} discord/ takes everything of discord.js from discord.js, which loads copies of its own of @discordjs/*: an error of one copy is no instanceof of the other's class.`,
  },
  http: {
    folders: ['operations', 'guild-keys', 'rate-limit', 'recipes', 'telemetry'],
    libraries: ['express'],
    message: SHELL,
  },
};

/** Its types are for everybody: app/ makes the log and the metrics and hands them over. */
const TYPES_OF_TELEMETRY = {
  group: ['**/telemetry/**'],
  message: 'Import the types of telemetry only: app/ makes the log and the metrics and hands them over.',
  allowTypeImports: true,
};

function importsOf(name: string, { folders, libraries, except = [], pure, message }: Rule): OxlintOverride {
  const others = Object.keys(FOLDERS).filter(
    (other) => other !== name && other !== 'kernel' && folders !== '*' && !folders.includes(other),
  );
  const forbidden = [
    ...LIBRARIES.filter((library) => !libraries.includes(library)),
    ...(pure === true ? INPUT_OUTPUT : []),
    ...others.map((other) => `**/${other}/**`),
  ];
  const patterns = [forbidden, ...except].map((group) => ({ group: [...group], message }));
  return {
    files: [`src/${name}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: folders.includes('telemetry') ? [...patterns, TYPES_OF_TELEMETRY] : patterns },
      ],
    },
  };
}

function only(files: string, group: string[], message: string): OxlintOverride {
  return {
    files: [files],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { node: true, es2024: true },
  options: { typeAware: true },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'eslint/no-console': 'error',
    'eslint/eqeqeq': 'error',
    'eslint/no-var': 'error',
    'eslint/no-nested-ternary': 'error',
    'eslint/prefer-const': 'error',
    'eslint/no-await-in-loop': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'eslint/no-control-regex': 'off',
    'eslint/no-underscore-dangle': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default-member': 'off',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'fc.assert', 'assert*'] }],
    'vitest/consistent-test-it': ['error', { fn: 'test', withinDescribe: 'test' }],
    'eslint/no-shadow': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/prefer-set-has': 'off',
    'eslint/no-restricted-globals': 'off',
  },
  ignorePatterns: ['node_modules', 'data', 'src/recipes/templates'],
  overrides: [
    {
      files: ['**/{vitest,oxlint}.config.ts', 'test/fixtures/cached-test-runner.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
    { files: ['scripts/**'], rules: { 'eslint/no-console': 'off' } },
    { files: ['test/**', 'scripts/**'], rules: { 'typescript/no-non-null-assertion': 'off' } },
    // Columns of numbers, read at places that come from loops and searches over the same column.
    { files: ['src/members/index/**'], rules: { 'typescript/no-non-null-assertion': 'off' } },
    { files: ['src/**'], rules: { 'node/no-process-env': 'error' } },
    { files: ['src/config/**'], rules: { 'node/no-process-env': 'off' } },
    only(
      'src/main.ts',
      ['./*/**', '!./app/**', '!./config/**', '!./telemetry/**'],
      'main.ts starts app/ with config/ and a log, and knows nothing else.',
    ),
    ...Object.entries(FOLDERS).map(([name, rule]) => importsOf(name, rule)),
    only(
      'src/recipes/code/templates.ts',
      ['**', '!node:fs'],
      'code/templates.ts reads the files of templates/ and fills them in. It imports nothing else.',
    ),
  ],
});
