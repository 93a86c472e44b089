import { DAY_MS, toUtcDay } from '../../../kernel/utc.ts';
import type { KeyEntry } from '../../../guild-keys/guild-keys.ts';
import type { UsedKey } from '../../../guild-keys/key-usage.ts';
import { DAYS_KEPT } from '../../../guild-keys/usage-record.ts';
import { ACCENT, container, picture, separator, text } from '../../messages/components.ts';
import { clip, codeBlock } from '../../messages/markdown.ts';
import { privately } from '../../messages/reply.ts';
import { translatorFor, type Translator } from '../../locales/translator.ts';
import { keyBuilderOf, readKeyBuilder } from '../../../recipes/builders.ts';
import { firstRecipe } from '../../../recipes/first-recipe.ts';
import type { CommandContext } from '../command.ts';
import { commandBody } from '../command-of.ts';
import { guildOf } from '../permitted.ts';
import { isWorking } from './find-key.ts';
import {
  drawUsage,
  OUTCOME_SQUARES,
  OUTCOMES,
  shortCount,
  totalOf,
  type DayCounts,
} from './usage-picture.ts';

interface UsageRow {
  readonly label: string;
  /** Requests of today, and of all days that are shown. */
  readonly today: number;
  readonly total: number;
}

/** A code block on a phone shows about 34 characters before it wraps. */
const LABEL_WIDTH = 23;
const TODAY_WIDTH = 5;
const TOTAL_WIDTH = 4;

/**
 * A table in a monospaced font. Names of operations are never cut.
 * @param columns names of the two numbers: at most 5 and 4 characters
 */
export function usageTable(
  rows: readonly UsageRow[],
  columns: { readonly today: string; readonly total: string },
): string {
  return [
    line('', columns.today, columns.total),
    ...rows.map(({ label, today, total }) =>
      line(clip(label, LABEL_WIDTH), shortCount(today), shortCount(total)),
    ),
  ].join('\n');
}

function line(label: string, today: string, total: string): string {
  return `${label.padEnd(LABEL_WIDTH)} ${today.padStart(TODAY_WIDTH)} ${total.padStart(TOTAL_WIDTH)}`;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Keys that get a line of their own. The others share one. */
const KEYS_SHOWN = 10;
const PICTURE_NAME = 'usage.png';

/** `/settings usage`: how often keys are used, how many requests are refused, and how close they come to the limits. */
export const showUsage = commandBody({
  async run(_given, interaction, context) {
    const guildId = guildOf(interaction);
    const translator = translatorFor(interaction.locale);
    const [used, peaks, entries] = await Promise.all([
      context.usage.read(guildId),
      context.usage.peaks(guildId),
      context.keys.list(guildId),
    ]);
    const days = lastDays(context.now());
    const counts = days.map((day) => countsOfDay(used, day));
    const totals = counts.map((day) => totalOf(day));
    const total = sumOf(totals);
    const limits = [
      translator.translate('usage.limit', { limit: context.requestsPerMinute, peak: peaks.guild }),
      translator.translate('usage.imageLimit', { limit: context.imagesPerMinute, peak: peaks.image }),
      translator.translate('usage.sendLimit', { limit: context.sendsPerMinute, peak: peaks.send }),
    ];
    if (total === 0) {
      return privately({
        components: [
          container(
            ACCENT.neutral,
            text([translator.translate('usage.none'), ...limits].join('\n')),
            separator(),
            text(describeStart(entries, context, translator)),
            text(translator.translate('usage.note')),
          ),
        ],
      });
    }
    const table = (rows: readonly UsageRow[]) =>
      codeBlock(
        usageTable(rows, {
          today: translator.translate('usage.today'),
          total: translator.translate('usage.month'),
        }),
      );
    return privately({
      components: [
        container(
          ACCENT.neutral,
          text(
            [translator.translate('usage.heading', { today: totals.at(-1) ?? 0, total }), ...limits].join(
              '\n',
            ),
          ),
          picture(PICTURE_NAME, describePicture(counts, translator)),
          // The legend of the picture's colours.
          text(describeOutcomes(counts, translator, true).join(' · ')),
          separator(),
          text(`${translator.translate('usage.byOperation')}\n${table(byOperation(used, days))}`),
          text(`${translator.translate('usage.byKey')}\n${table(byKey(used, entries, days, translator))}`),
          text(translator.translate('usage.note')),
        ),
      ],
      files: [{ name: PICTURE_NAME, attachment: drawUsage(counts) }],
    });
  },
});

/** Leads to a key, or to the recipe for the newest one. */
function describeStart(
  entries: readonly KeyEntry[],
  context: CommandContext,
  translator: Translator,
): string {
  const newest = entries.find((entry) => isWorking(entry));
  if (newest === undefined) {
    return translator.translate('keys.none', { create: context.mention('settings key create') });
  }
  const url = context.publicUrl();
  const builder = readKeyBuilder(newest.builder);
  const recipe = builder === null ? null : firstRecipe(builder, url, newest.operations);
  if (builder === null || recipe === null) {
    return translator.translate('keys.examples', { docs: `${url}/docs` });
  }
  return [
    translator.translate('keys.try', { builder: keyBuilderOf(builder).label }),
    translator.translate('keys.recipe', { recipe: recipe.url }),
  ].join('\n');
}

/** The UTC days with usage counts, today last. */
function lastDays(nowMs: number): readonly string[] {
  return Array.from({ length: DAYS_KEPT }, (_, index) => toUtcDay(nowMs - (DAYS_KEPT - 1 - index) * DAY_MS));
}

function countsOfDay(used: readonly UsedKey[], day: string): DayCounts {
  const ofDay = used.flatMap(({ days }) => days.filter((each) => each.day === day));
  const count = (outcome: 'refused' | 'limited' | 'failed') =>
    sumOf(ofDay.map(({ outcomes }) => outcomes[outcome] ?? 0));
  const [refused, limited, failed] = [count('refused'), count('limited'), count('failed')];
  const all = sumOf(ofDay.flatMap(({ operations }) => Object.values(operations)));
  return { day, ok: Math.max(0, all - refused - limited - failed), refused, limited, failed };
}

/** One line per outcome, in the order of the picture. */
function describeOutcomes(
  counts: readonly DayCounts[],
  translator: Translator,
  withSquares: boolean,
): readonly string[] {
  return OUTCOMES.map((outcome) => {
    const n = sumOf(counts.map((day) => day[outcome]));
    return `${withSquares ? `${OUTCOME_SQUARES[outcome]} ` : ''}${translator.translate(`usage.${outcome}`, { n })}`;
  });
}

/** Text for people who cannot see the picture. */
function describePicture(counts: readonly DayCounts[], translator: Translator): string {
  const busiest = counts.reduce((most, day) => (totalOf(day) > totalOf(most) ? day : most));
  return translator.translate('usage.picture', {
    first: translator.day(counts.at(0)?.day ?? ''),
    last: translator.day(counts.at(-1)?.day ?? ''),
    total: sumOf(counts.map((day) => totalOf(day))),
    busiest: translator.day(busiest.day),
    most: totalOf(busiest),
    outcomes: describeOutcomes(counts, translator, false).join(', '),
  });
}

function byOperation(used: readonly UsedKey[], days: readonly string[]): readonly UsageRow[] {
  const names = new Set(used.flatMap((key) => key.days.flatMap(({ operations }) => Object.keys(operations))));
  return sortRows([...names].map((name) => makeRow(name, used, days, (operations) => operations[name] ?? 0)));
}

function byKey(
  used: readonly UsedKey[],
  entries: readonly KeyEntry[],
  days: readonly string[],
  translator: Translator,
): readonly UsageRow[] {
  const names = new Map(entries.map(({ keyId, name }) => [keyId, name]));
  const rows = sortRows(
    used.map((key) => {
      const label = names.get(key.keyId) ?? translator.translate('usage.deletedKey');
      return makeRow(label, [key], days, (operations) => sumOf(Object.values(operations)));
    }),
  );
  const rest = rows.slice(KEYS_SHOWN);
  if (rest.length === 0) return rows;
  return [
    ...rows.slice(0, KEYS_SHOWN),
    {
      label: translator.translate('usage.otherKeys', { n: rest.length }),
      today: sumOf(rest.map((row) => row.today)),
      total: sumOf(rest.map((row) => row.total)),
    },
  ];
}

function makeRow(
  label: string,
  used: readonly UsedKey[],
  days: readonly string[],
  count: (operations: Readonly<Record<string, number>>) => number,
): UsageRow {
  const shown = used.flatMap((key) => key.days).filter(({ day }) => days.includes(day));
  const sum = (counted: typeof shown) => sumOf(counted.map(({ operations }) => count(operations)));
  return { label, today: sum(shown.filter(({ day }) => day === days.at(-1))), total: sum(shown) };
}

function sortRows(rows: readonly UsageRow[]): readonly UsageRow[] {
  return rows.toSorted((a, b) => b.total - a.total || (a.label < b.label ? -1 : 1));
}
