import manifest from '../../package.json' with { type: 'json' };

/** The program's version, from package.json. docs/changelog.md says what is new in it. */
export const VERSION = manifest.version;
