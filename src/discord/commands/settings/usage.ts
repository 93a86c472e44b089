import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import type { UsedKey } from '../../../guild-keys/key-usage.ts';
import type { CommandCall } from '../command.ts';
import { ACCENT, container, separator, text } from '../../messages/components.ts';
import { codeBlock } from '../../messages/markdown.ts';
import { privately, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { wordsFor, type Words } from '../../texts/words.ts';
import { barChart, type Bar } from './bar-chart.ts';
import { guildOf } from './find-key.ts';

/** Keys shown; the others are one line. */
const KEYS_SHOWN = 10;
const DAYS_SHOWN = 7;
const DAY_MS = 86_400_000;

export async function showUsage(call: CommandCall, services: Services): Promise<MessagesReply> {
  const guildId = guildOf(call);
  const words = wordsFor(call.locale);
  const [used, entries] = await Promise.all([services.usage.read(guildId), services.keys.list(guildId)]);
  const today = toDay(Date.now());
  const total = sum(used, () => true);
  if (total === 0) {
    return privately({
      components: [
        container(
          ACCENT.neutral,
          text(words.say('usage.none', { list: services.mention('settings key list') })),
        ),
      ],
    });
  }
  return privately({
    components: [
      container(
        ACCENT.neutral,
        text(words.say('usage.heading', { today: sum(used, (day) => day === today), total })),
        text(`${words.say('usage.byOperation')}\n${chart(byOperation(used, today), words)}`),
        text(`${words.say('usage.byKey')}\n${chart(byKey(used, entries, today, words), words)}`),
        separator(),
        text(`${words.say('usage.byDay')}\n${codeBlock(barChart(byDay(used)))}`),
        text(words.say('usage.note')),
      ),
    ],
  });
}

function chart(bars: readonly Bar[], words: Words): string {
  return codeBlock(barChart(bars, [words.say('usage.today'), words.say('usage.month')]));
}

/** UTC, as usage is counted. */
function toDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function sum(used: readonly UsedKey[], isCounted: (day: string, operation: string) => boolean): number {
  let count = 0;
  for (const { days } of used) {
    for (const { day, operations } of days) {
      for (const [operation, requests] of Object.entries(operations)) {
        if (isCounted(day, operation)) count += requests;
      }
    }
  }
  return count;
}

function byOperation(used: readonly UsedKey[], today: string): readonly Bar[] {
  const names = new Set(
    used.flatMap(({ days }) => days.flatMap(({ operations }) => Object.keys(operations))),
  );
  return sortBars(
    [...names].map((name) => ({
      label: name,
      today: sum(used, (day, operation) => day === today && operation === name),
      total: sum(used, (_, operation) => operation === name),
    })),
  );
}

function byKey(
  used: readonly UsedKey[],
  entries: readonly KeyEntry[],
  today: string,
  words: Words,
): readonly Bar[] {
  const names = new Map(entries.map(({ keyId, name }) => [keyId, name]));
  const bars = sortBars(
    used.map((key) => ({
      label: names.get(key.keyId) ?? words.say('usage.deletedKey'),
      today: sum([key], (day) => day === today),
      total: sum([key], () => true),
    })),
  );
  const rest = bars.slice(KEYS_SHOWN);
  if (rest.length === 0) return bars;
  const add = (field: 'today' | 'total') => rest.reduce((count, bar) => count + (bar[field] ?? 0), 0);
  return [
    ...bars.slice(0, KEYS_SHOWN),
    { label: words.say('usage.otherKeys', { n: rest.length }), today: add('today'), total: add('total') },
  ];
}

function byDay(used: readonly UsedKey[]): readonly Bar[] {
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const atMs = Date.now() - (DAYS_SHOWN - 1 - index) * DAY_MS;
    const wanted = toDay(atMs);
    return { label: wanted.slice(5), total: sum(used, (day) => day === wanted) };
  });
}

function sortBars(bars: readonly Bar[]): readonly Bar[] {
  return bars.toSorted((a, b) => b.total - a.total || (a.label < b.label ? -1 : 1));
}
