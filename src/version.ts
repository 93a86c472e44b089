import manifest from '../package.json' with { type: 'json' };

/** Of the program, from package.json alone. What is new in it: docs/changelog.md. */
export const VERSION = manifest.version;
