/** Sources to change, and the tests that have to notice. */
export interface Area {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** Only tests that take milliseconds a case: each of them may run once for every mutant. */
export const AREAS: Readonly<Record<string, Area>> = {
  'parse-args': {
    sources: ['src/operations/parse-args'],
    tests: [
      'test/unit/operations/parse-args/parse-args.test.ts',
      'test/unit/operations/parse-args/time-languages.test.ts',
    ],
  },
  permissions: {
    sources: [
      'src/operations/permissions',
      'src/operations/permission-encoder',
      'src/operations/permission-decoder',
      'src/operations/permission-check',
    ],
    tests: ['test/unit/operations/permission', 'test/integration/permission-check'],
  },
  'role-questions': {
    sources: [
      'src/operations/role-members',
      'src/operations/role-counts',
      'src/operations/members-source.ts',
      'src/members/members-query.ts',
      'src/members/counts-query.ts',
    ],
    tests: ['test/unit/operations/role-members', 'test/unit/members/member-questions.test.ts'],
  },
  'member-index': {
    sources: ['src/members/index'],
    tests: [
      'test/unit/members/member-ids.test.ts',
      'test/unit/members/member-index-calls.test.ts',
      'test/unit/members/member-index.test.ts',
      'test/unit/members/member-ordinals.test.ts',
      'test/unit/members/member-questions.test.ts',
    ],
  },
  'text-splitter': {
    sources: [
      'src/operations/text-splitter/markup',
      'src/operations/text-splitter/cuts',
      'src/operations/text-splitter/chunks',
      'src/operations/text-splitter/chars',
      'src/operations/text-splitter/split-text.ts',
    ],
    tests: [
      'test/unit/operations/text-splitter/rules.test.ts',
      'test/unit/operations/text-splitter/operation.test.ts',
      'test/unit/operations/text-splitter/properties.test.ts',
      'test/unit/operations/text-splitter/cheapest.test.ts',
      'test/unit/operations/text-splitter/hostile.test.ts',
      'test/unit/operations/text-splitter/streams.test.ts',
      'test/unit/operations/text-splitter/fence-streams.test.ts',
    ],
  },
  'github-markdown': {
    sources: ['src/operations/text-splitter/github'],
    tests: [
      'test/unit/operations/text-splitter/operation.test.ts',
      'test/unit/operations/text-splitter/github/html.test.ts',
      'test/unit/operations/text-splitter/github/rules.test.ts',
      'test/unit/operations/text-splitter/github/tables.test.ts',
    ],
  },
  'guild-keys': {
    sources: ['src/guild-keys'],
    tests: ['test/unit/guild-keys'],
  },
};
