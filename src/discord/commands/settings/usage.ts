import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import type { UsedKey } from '../../../guild-keys/key-usage.ts';
import type { CommandCall } from '../command.ts';
import { ACCENT, container, separator, text } from '../../messages/components.ts';
import { codeBlock } from '../../messages/markdown.ts';
import { privately, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';
import { barChart, type Bar } from './bar-chart.ts';
import { guildOf } from './find-key.ts';

/** Keys shown; the others are one line. */
const KEYS_SHOWN = 10;
const DAYS_SHOWN = 7;
const DAY_MS = 86_400_000;

export async function showUsage(call: CommandCall, services: Services): Promise<MessagesReply> {
  const guildId = guildOf(call);
  const [used, entries] = await Promise.all([services.usage.read(guildId), services.keys.list(guildId)]);
  const today = toDay(Date.now());
  const total = sum(used, () => true);
  if (total === 0) {
    return privately({
      components: [container(ACCENT.neutral, text(texts.usage.none(services.mention('settings key list'))))],
    });
  }
  return privately({
    components: [
      container(
        ACCENT.neutral,
        text(
          texts.usage.heading(
            sum(used, (day) => day === today),
            total,
          ),
        ),
        text(`${texts.usage.byOperation}\n${chart(byOperation(used, today))}`),
        text(`${texts.usage.byKey}\n${chart(byKey(used, entries, today))}`),
        separator(),
        text(`${texts.usage.byDay}\n${codeBlock(barChart(byDay(used)))}`),
        text(texts.usage.note),
      ),
    ],
  });
}

function chart(bars: readonly Bar[]): string {
  return codeBlock(barChart(bars, texts.usage.columns));
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

function byKey(used: readonly UsedKey[], entries: readonly KeyEntry[], today: string): readonly Bar[] {
  const names = new Map(entries.map(({ keyId, name }) => [keyId, name]));
  const bars = sortBars(
    used.map((key) => ({
      label: names.get(key.keyId) ?? texts.usage.deletedKey,
      today: sum([key], (day) => day === today),
      total: sum([key], () => true),
    })),
  );
  const rest = bars.slice(KEYS_SHOWN);
  if (rest.length === 0) return bars;
  const add = (field: 'today' | 'total') => rest.reduce((count, bar) => count + (bar[field] ?? 0), 0);
  return [
    ...bars.slice(0, KEYS_SHOWN),
    { label: texts.usage.otherKeys(rest.length), today: add('today'), total: add('total') },
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
