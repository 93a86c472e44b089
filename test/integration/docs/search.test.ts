import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { find, fold, understand, type Entry } from '../../../src/http/docs/assets/search/find.js';
import { SYNONYMS } from '../../../src/http/docs/assets/search/synonyms.js';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { STATUSES } from '../../../src/kernel/problem.ts';
import { sampleOf } from '../../fixtures/full-run.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

/** It leads to permission-check. */
const QUESTION = 'Why may somebody not do this?';

let service: TestApp;
let index: readonly Entry[];
beforeAll(async () => {
  service = await startTestApp();
  index = (await (await fetch(`${service.url}/docs/search.json`)).json()) as Entry[];
});
afterAll(() => service.app.close());

describe('the search', () => {
  test.each([
    ['docker', 'docs/operate#container'],
    ['backup', 'docs/operate#backups'],
    ['flat', 'docs#options'],
    ['separator', 'docs#options'],
    ['always_200', 'docs#options'],
    ['leaked', 'docs/security#when-a-key-has-leaked'],
    ['blocked address', 'docs/operate#discord-blocks-your-address'],
    ['python', 'docs/parse-args#try'],
    ['token_malformed', 'docs#token_malformed'],
    ['BotGhost', 'docs?tool=botghost'],
    ['webhook', 'docs/send'],
    ['429', 'docs#rate_limited'],
    ['duration', 'docs/parse-args#answer'],
    ['rotate', 'docs/api#your-key'],
    ['Dauer', 'docs/parse-args#answer'],
    ['key', 'docs'],
    ['error', 'docs/parse-args#wrong'],
    ['limits', 'docs#limits'],
    ['RateLimit-Policy', 'docs/api#all-operations'],
    ['permission denied', 'docs/permission-check#answer'],
    ['Schlüssel', 'docs'],
    ['ключ', 'docs'],
    ['Fehler', 'docs/parse-args#wrong'],
    ['hata', 'docs/parse-args#wrong'],
    ['timeout', 'docs/parse-args'],
    ['mute', 'docs/parse-args'],
    ['ban', 'docs/parse-args'],
    ['Stummschalten', 'docs/parse-args'],
    ['kick', 'docs/parse-args'],
    ['missing permissions', 'docs/parse-args#wrong'],
    ['intents', 'docs/parse-args#wrong'],
    ['große', 'docs/image-to-base64#answer'],
    ['hilfe', 'docs/parse-args#wrong'],
    ['datenschutz', 'docs/privacy'],
    ['giveaway', 'docs/role-members'],
    ['emoji', 'docs/image-to-base64'],
    ['how many people have a role', 'docs/role-members'],
    ['booster', 'docs/role-members'],
    ['AI answer too long', 'docs/text-splitter'],
    ['chatgpt', 'docs/text-splitter'],
    ['parse arguments', 'docs/parse-args'],
    ['convert 7d to seconds', 'docs/parse-args'],
    ['Make timeout', 'docs/parse-args'],
    ['Verwarnung', 'docs/parse-args'],
    ['where do I get a key', 'docs#key'],
    ['api key', 'docs#key'],
    ['create key', 'docs#key'],
    ['new key', 'docs#key'],
    ['get key', 'docs#key'],
    ['make key', 'docs#key'],
    ['price', './#cost'],
    ['what does it cost', './#cost'],
    ['delete my data', 'docs/privacy#how-to-have-it-deleted'],
    ['variable not replaced', 'docs#unresolved_placeholder'],
    ['welcome message', 'docs/recipes#greet-members-who-got-a-role'],
    ['#ff0000', 'docs/message-check'],
    ['#FFF', 'docs/message-check'],
    ['color', 'docs/message-check'],
    ['Farbe', 'docs/message-check'],
    ['Nachricht senden', 'docs/send'],
    ['enviar mensaje', 'docs/send'],
    ['отправить сообщение', 'docs/send'],
  ])('finds for %s first', (word, address) => {
    const [first] = find(index, word);
    expect(first?.[2]).toBe(address);
  });

  test.each([
    ['Nachricht zu lang', 'nachricht zu lang', 'text-splitter'],
    ['mensaje largo', 'mensaje largo', 'text-splitter'],
    ['uzun mesaj', 'uzun mesaj', 'text-splitter'],
    ['message trop long', 'message trop long', 'text-splitter'],
    ['длинное сообщение', 'длинное сообщение', 'text-splitter'],
    ['aufteilen', 'aufteilen', 'text-splitter'],
    ['image trop grande', 'image trop grande', 'image_too_large'],
    ['Fehlende Berechtigung', 'fehlende berechtigung', 'Missing Permissions'],
    ['Zeitüberschreitung', 'zeituberschreitung', 'parse-args'],
    ['timeuot', 'timeout', 'parse-args'],
    ['pasre', 'parse', 'parse-args'],
    ['permision', 'permission', 'permission-encoder'],
    ['slpit', 'split', 'text-splitter'],
    ['role xyzzy', 'role', 'role-members'],
    ['Wie kann ich einen Text aufteilen', 'text aufteilen', 'text-splitter'],
    ['wie timeuot', 'timeout', 'parse-args'],
    ['key_unknwon', 'key_unknown', 'key_unknown'],
    ['rate_limted', 'rate_limited', 'rate_limited'],
    ['disord_missing_access', 'discord_missing_access', 'discord_missing_access'],
    ['error 50013', '50013', 'Missing Permissions'],
    ['how to invite the bot', 'invite bot', 'How do I add the bot to my server?'],
    ['who has role', 'who has role', 'role-members'],
    ['tempmute', 'tempmute', 'parse-args'],
    ['why can my bot not write', 'why can my bot not write', QUESTION],
    ["why can't my bot ban", "why can't my bot ban", QUESTION],
    ['my bot cannot send messages', 'my bot cannot send messages', QUESTION],
    ['warum kann mein Bot nicht schreiben', 'warum schreiben', QUESTION],
    ['neden bot yazamıyor', 'neden bot yazamiyor', QUESTION],
  ])('finds for “%s” what was meant: “%s”', (typed, meant, title) => {
    expect(understand(index, typed).map(([word]) => word)).toEqual(meant.split(' '));
    expect(find(index, typed)[0]?.[0]).toBe(title);
  });

  test('finds duration for a German word of time', () => {
    expect(find(index, 'Dauer')[0]?.[0]).toBe('duration');
    expect(find(index, 'gün').map(([title]) => title)).toContain('duration');
  });

  test.each(
    'giveaway raffle winner sorteo Verlosung Gewinnspiel sorteio tirage concours çekiliş розыгрыш'.split(' '),
  )('finds for %s role-members and its field sample', (word) => {
    const [first, second] = find(index, word);
    expect([first?.[0], second?.[0], second?.[1]]).toEqual([
      'role-members',
      'sample',
      'Field of role-members',
    ]);
  });

  test('indexes all of a section with its code blocks, but not the buttons around them', () => {
    const headers = find(index, 'ratelimit-policy').map(([, , address]) => address);
    expect(headers).toContain('docs/api#all-operations');
    for (const word of ['RateLimit', 'ratelimit']) expect(find(index, word)).not.toEqual([]);
    expect(index.filter(([, , , text]) => /Code ?Copy/.test(text))).toEqual([]);
  });

  test('finds the meaning of a word in each language of the bot, and an entry for each of these words', () => {
    const typed = Object.entries(SYNONYMS).flatMap(([word, others]) => [word, ...others.split(' ')]);
    expect(sampleOf(typed, 4).filter((word) => find(index, word).length === 0)).toEqual([]);
  });

  test('ignores words that are on no page, marks and case, and says when there is no result', () => {
    expect(find(index, 'role xyzzy')).toEqual(find(index, 'role'));
    expect(find(index, 'xyzzy')).toEqual([]);
    expect(find(index, 'ROLE members')[0]?.[0]).toBe('role-members');
    expect(fold('Türkçe ışık Straße')).toBe('turkce isik strasse');
    expect(find(index, '').length).toBeGreaterThan(5);
    expect(find(index, 'a').length).toBeLessThanOrEqual(12);
  });

  test('has an entry for every operation, field, key and problem, and each entry leads to a page', async () => {
    const titles = new Set(index.map(([title]) => title));
    const names = OPERATIONS.flatMap(({ name, input, output }) => [
      name,
      ...Object.keys(input.shape),
      ...Object.keys(output.shape).filter((key) => key !== 'ok'),
    ]);
    expect([...names, ...Object.keys(STATUSES)].filter((name) => !titles.has(name))).toEqual([]);
    const pages = new Map<string, string>();
    const lost: string[] = [];
    for (const [, , address] of index) {
      const [path = '', anchor] = address.split('#');
      const page = pages.get(path) ?? (await (await fetch(`${service.url}/${path}`)).text());
      pages.set(path, page);
      if (!page.startsWith('<!doctype') || (anchor !== undefined && !page.includes(` id="${anchor}"`)))
        lost.push(address);
    }
    expect(lost).toEqual([]);
  });
});
