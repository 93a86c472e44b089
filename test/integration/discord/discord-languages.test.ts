import { Locale, PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  LANGUAGES,
  TEXTS,
  TRANSLATED_LOCALES,
  type Language,
} from '../../../src/discord/locales/languages.ts';
import { translatorFor } from '../../../src/discord/locales/translator.ts';
import { COMMANDS } from '../../../src/discord/commands/index.ts';
import { leavesOf } from '../../../src/discord/commands/command-leaves.ts';
import { png } from '../../fixtures/image-files.ts';
import type { InteractionHandle } from '../../simulator/interaction-handle.ts';
import type { SimulatedMessage } from '../../simulator/simulated-message.ts';
import type { OptionValues } from '../../simulator/interaction-options.ts';
import { GUILD_ID, MEMBER_ID, openDiscordHarness, ROLE_ID, type DiscordHarness } from './discord-setup.ts';

let harness: DiscordHarness;
beforeAll(async () => {
  harness = await openDiscordHarness();
  // Names of the greatest length, in the greatest number.
  for (let index = 0; index < 9; index += 1) {
    const { entry } = await harness.keys.create({
      guildId: GUILD_ID,
      name: index === 0 ? 'taken' : `${index}${'🔑'.repeat(31)}`,
      createdBy: 'cli',
      expiresInDays: 30,
      flat: true,
      always200: true,
      operations: ['parse-args', 'role-members', 'permission-check'],
    });
    for (let count = 0; count < 3; count += 1) harness.usage.record(GUILD_ID, entry.keyId, 'parse-args');
  }
});
afterAll(() => harness[Symbol.asyncDispose]());

const LINE = `!tempban <@${MEMBER_ID}> 7d spam`;
const GITHUB = '#### Sizes\n\n| a | b |\n| - | - |\n| 1 | 2 |';
const IMAGE = { file: { name: 'a.png', bytes: png(8, 8) } };

/** Every command with what it takes to get an answer, which is read with its buttons. */
const ANSWERS: readonly [command: string, options: OptionValues][] = [
  ['help', {}],
  ['settings help', {}],
  ['settings key list', {}],
  ['settings usage', {}],
  ['parse', { text: LINE }],
  ['parse', { text: '...' }],
  ['permissions encode', { permission: 'MANAGE_ROLES', client_id: '123456789012345678' }],
  ['permissions decode', { bitfield: String(2n ** 60n + 8192n + 32768n), compare: '8' }],
  ['permissions why', { permission: 'MANAGE_ROLES' }],
  ['split', { text: GITHUB }],
  ['split', { text: 'a', as_file: true }],
  ['base64', { image: IMAGE }],
  ['base64', { image: IMAGE, for: 'emoji' }],
  ['role-members', { role: ROLE_ID }],
  ['role-members', { role: ROLE_ID, or: GUILD_ID, without: ROLE_ID, random: 3 }],
  ['role-counts', {}],
];
/** The commands in the menus of a message, each with a message for it. */
const MENUS: readonly [command: string, content: string][] = [
  ['Split text', GITHUB],
  ['Parse command line', LINE],
  ['Image to base64', 'no image'],
];
/** These have a test of their own: one follows from the other. */
const KEY_COMMANDS = ['settings key create', 'settings key rotate', 'settings key revoke'];
const ERRORS: readonly [command: string, options: OptionValues][] = [
  ['settings key create', { name: 'taken' }],
  ['settings key create', { name: 'other', operations: 'nonsense' }],
  ['settings key rotate', { name: 'nobody' }],
  ['settings key revoke', { name: 'nobody' }],
  ['parse', { text: '\u200B' }],
  ['permissions encode', { permission: 'MANGE_ROLES' }],
  ['permissions encode', { permission: 'qqqqqqqqqqqqqqqq' }],
  ['permissions decode', { bitfield: 'x' }],
  ['split', { text: ' ' }],
  ['split', { file: { file: { name: 'a.txt', bytes: Buffer.from([0xff]) } } }],
  ['base64', {}],
  ['base64', { url: 'file:///x' }],
  ['base64', { image: { file: { name: 'a.png', bytes: 'text' } } }],
];

/** Both show the answer, and the second says what it does besides. */
const SHOW_ALIKE: readonly string[] = LANGUAGES.map((language) => TEXTS[language].answers.share.notify);

/** Buttons that begin with the word of another one in their message: somebody in a hurry reads no more. */
function alikeButtons({ controls }: SimulatedMessage): readonly string[] {
  const labels = [...new Set(controls.map(({ label }) => String(label)))].filter(
    (label) => !SHOW_ALIKE.includes(label),
  );
  const words = labels.map((label) => label.toLocaleLowerCase().split(' ')[0]);
  return labels.filter((_, at) => words.indexOf(words[at]) !== words.lastIndexOf(words[at]));
}

/** An answer as a user reads it, its buttons included. */
async function read(interaction: InteractionHandle): Promise<string> {
  const reply = await interaction.reply();
  expect(interaction.refusals).toEqual([]);
  expect(alikeButtons(reply)).toEqual([]);
  const pictures = JSON.stringify(reply.components).match(/"description":"[^"]*"/g) ?? [];
  return [
    reply.text,
    ...reply.controls.map(({ label, placeholder }) => String(label ?? placeholder)),
    ...pictures,
  ].join('\n');
}

interface Tree {
  readonly [key: string]: string | Tree;
}

function textsIn(tree: Tree): readonly string[] {
  return Object.values(tree).flatMap((value) => (typeof value === 'string' ? [value] : textsIn(value)));
}

function piecesOf(language: Language): readonly string[] {
  return (
    textsIn({ ...TEXTS[language].answers, ...TEXTS[language].problems })
      .flatMap((text) => text.split(/\{\w+\}|[\n`*#]/))
      .map((piece) => piece.trim())
      // `/permissions decode` is also a mention, which Discord shows in the language of its user.
      .filter((piece) => piece.length >= 12 && !piece.startsWith('/'))
  );
}

/** Pieces of English that a language says otherwise: 12 letters and more without a place or a line break. */
function englishPieces(language: Language): readonly string[] {
  const own = piecesOf(language).join('\n');
  return piecesOf('en').filter((piece) => !own.includes(piece));
}

test('every command is tested', () => {
  const read = new Set([...[...ANSWERS, ...MENUS].map(([command]) => command), ...KEY_COMMANDS]);
  const commands = COMMANDS.flatMap(({ data }) => leavesOf(data).map(({ path }) => path));
  const missing = commands.filter((command) => !read.has(command));
  const file = 'test/integration/discord/discord-languages.test.ts';
  expect(missing.map((command) => `${file}: a row in ANSWERS or MENUS for ${command}`)).toEqual([]);
});

describe.each(LANGUAGES)('a user whose client speaks %s', (language) => {
  const locale = TRANSLATED_LOCALES.find((each) => each.language === language)?.locale ?? Locale.EnglishUS;
  const pieces = englishPieces(language);
  const foreign = (text: string) => pieces.filter((piece) => text.includes(piece));

  const expectOwnLanguage = async (interaction: InteractionHandle) => {
    const text = await read(interaction);
    expect(foreign(text)).toEqual([]);
    // Every place was filled.
    expect(text).not.toMatch(/\{[a-z]\w*\}/i);
    return text;
  };

  test.each([...ANSWERS, ...ERRORS])(
    'reads /%s %j in that language, within the limits',
    async (command, options) => {
      await expectOwnLanguage(harness.users.slash(command, options, { locale }));
    },
  );

  test.each(MENUS)('reads the answer of "%s" in that language', async (command, content) => {
    await expectOwnLanguage(harness.users.messageCommand(command, { content }, { locale }));
  });

  test('makes, rotates and revokes a key in that language', async () => {
    const scene = { locale };
    const translator = translatorFor(locale);
    const created = harness.users.slash('settings key create', { name: 'demo', builder: 'kite' }, scene);
    await expectOwnLanguage(created);
    await expectOwnLanguage(await created.click(translator.translate('keys.savedIt')));
    await expectOwnLanguage(
      harness.users.slash('settings key rotate', { name: 'demo', old_key: 604_800 }, scene),
    );
    const again = harness.users.slash('settings key rotate', { name: 'demo' }, scene);
    await expectOwnLanguage(again);
    await expectOwnLanguage(await again.click(translator.translate('cancel')));
    const revoked = harness.users.slash('settings key revoke', { name: 'demo' }, scene);
    await expectOwnLanguage(revoked);
    await expectOwnLanguage(await revoked.click(translator.translate('keys.confirmRevokeButton')));
    for (const { keyId, name } of await harness.keys.list(GUILD_ID)) {
      if (name === 'demo') await harness.keys.revoke(GUILD_ID, keyId).catch(() => undefined);
    }
  });

  test('can tell apart the buttons for other ways to split a text', async () => {
    const buttons = await harness.users.slash('split', { text: GITHUB }, { locale }).followUp(0);
    expect(buttons.controls.length).toBeGreaterThan(2);
    expect(alikeButtons(buttons)).toEqual([]);
  });

  test('opens a form in that language', async () => {
    const form = await harness.users.slash('split', {}, { locale }).modal();
    expect(form.title).toBe(translatorFor(locale).translate('split.formTitle'));
    expect(foreign(JSON.stringify(form))).toEqual([]);
  });
});

describe('the bot in German', () => {
  const de = { locale: 'de' } as const;

  test('shows the answers, buttons and errors of the commands', async () => {
    const parsed = harness.users.slash('parse', { text: LINE }, de);
    const parse = await read(parsed);
    expect(parse).toContain('**Zeit** 7 Tage (`7d`)');
    expect(parse).toContain('**Grund** `spam`');
    expect(parse).toContain('Allen zeigen');
    expect((await (await parsed.click('Als JSON')).reply()).text).toContain('Antwort der API');
    expect((await (await parsed.click('Allen zeigen')).followUp()).text).toContain('Gezeigt von <@');
    const wrong = harness.users.slash('permissions encode', { permission: 'MANGE_ROLES' }, de);
    expect(await read(wrong)).toBe('**Unbekannte Berechtigung: "MANGE_ROLES".**\nMeintest du MANAGE_ROLES?');
    const member = { ...de, userId: MEMBER_ID, permissions: PermissionFlagsBits.SendMessages };
    expect(await read(harness.users.slash('settings key list', {}, member))).toContain(
      'Dafür brauchst du die Berechtigung „Server verwalten“.',
    );
    expect(await read(harness.users.slash('settings key create', { name: 'taken' }, de))).toContain(
      'Dieser Server hat schon einen Schlüssel namens',
    );
    expect(await read(harness.users.slash('role-counts', {}, { ...de, guildId: null }))).toContain(
      'Das geht nur auf einem Server.',
    );
  });

  test('says in a new key what its holder can see', async () => {
    const all = harness.users.slash('settings key create', { name: 'alles' }, de);
    expect(await read(all)).toContain('wer welche Rolle hat');
    await harness.keys.revoke(GUILD_ID, (await harness.keys.list(GUILD_ID))[0]?.keyId ?? '');
    const some = harness.users.slash('settings key create', { name: 'wenig', operations: 'parse-args' }, de);
    expect(await read(some)).toContain('verrät nichts über die Mitglieder');
  });
});
