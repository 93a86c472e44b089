import { isCallback } from './check-message.ts';
import { CODES, EMPTY_MESSAGE, INVALID_FORM, INVALID_JSON } from './discord-codes.ts';
import type { Sender } from './message-fields.ts';
import type { DiscordError, Refusal } from './read-error.ts';
import { type Finding, isList, isObject, quote, toFinding } from './check-context.ts';

/** A finding with what Discord said about its path; null if only we report it. */
export interface JoinedFinding extends Finding {
  readonly discord: string | null;
}

interface Findings<Each extends Finding> {
  readonly problems: readonly Each[];
  readonly notices: readonly Each[];
}

/**
 * Joins our findings with Discord's answer. A notice that Discord refuses becomes a problem.
 * @param message undefined if only Discord's answer is known
 */
export function joinError(
  { problems, notices }: Findings<Finding>,
  error: DiscordError | null,
  message: unknown,
  sender: Sender,
): Findings<JoinedFinding> {
  const { code, refusals } = error ?? { code: null, refusals: [] };
  const said = new Map<Finding, Set<string>>();
  const others: JoinedFinding[] = [];
  const prefix = isCallback(message, sender) ? 'data.' : '';
  for (const refusal of refusals) {
    const path = refusal.path === null ? null : prefix + refusal.path;
    let found = path === null ? explainWhole(code, problems) : explain(path, refusal, problems);
    if (found.length === 0 && path !== null) found = explain(path, refusal, notices);
    for (const finding of found) said.set(finding, (said.get(finding) ?? new Set()).add(refusal.sentence));
    if (found.length === 0) others.push(retell(path, refusal, code, message));
  }
  const withSaid = (finding: Finding): JoinedFinding => {
    const sentences = [...(said.get(finding) ?? [])].join(' ');
    return { ...finding, discord: said.has(finding) ? sentences.slice(0, DISCORD_LENGTH_MAX) : null };
  };
  return {
    problems: [...[...problems, ...notices.filter((finding) => said.has(finding))].map(withSaid), ...others],
    notices: notices.filter((finding) => !said.has(finding)).map(withSaid),
  };
}

/** UTF-16 code units of Discord's sentences about one finding: two of the longest. */
const DISCORD_LENGTH_MAX = 600;

/** The problems that explain why Discord refused the message as a whole. */
function explainWhole(code: number | null, problems: readonly Finding[]): readonly Finding[] {
  if (code === INVALID_FORM) return problems;
  if (code === INVALID_JSON) return problems.filter(({ kind }) => kind === 'json');
  if (code !== EMPTY_MESSAGE) return [];
  const empty = problems.filter(({ kind }) => kind === 'empty_message');
  // To Discord, an embed without content is an empty message.
  return empty.length > 0
    ? empty
    : problems.filter(({ kind, path }) => kind === 'empty' && /^(?:data\.)?embeds\[\d+\]$/.test(path ?? ''));
}

/** Discord may name a hundred paths, and each is compared with at most this many findings. */
const COMPARED_MAX = 1_000;

/** The findings at the refused path, else below it, else at the nearest path above it. */
function explain(
  path: string,
  { coversSubtree = false }: Refusal,
  findings: readonly Finding[],
): readonly Finding[] {
  const compared = findings.slice(0, COMPARED_MAX);
  const [top = path, list] = /^((?:data\.)?(?:embeds|components))\[\d+\]/.exec(path) ?? [];
  const findingsAt = (at: string) =>
    compared.filter((finding) => finding.path === at || (at === top && finding.listPath === list));
  const at = findingsAt(path);
  const below = compared.filter((finding) =>
    [`${path}.`, `${path}[`].some((start) => finding.path?.startsWith(start)),
  );
  if (coversSubtree && below.length > 0) return [...new Set([...at, ...below])];
  if (at.length > 0) return at;
  if (below.length > 0) return below;
  // Stop at the embed or component: a finding further up is about something else.
  for (let outer = outerPath(path); outer.startsWith(top); outer = outerPath(outer)) {
    const above = findingsAt(outer);
    if (above.length > 0) return above;
  }
  return [];
}

/** Of `embeds[0].title`: `embeds[0]`, then `embeds`. */
function outerPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}

/** Repeats a refusal that none of our findings explains. */
function retell(
  path: string | null,
  { sentence, coversSubtree = false }: Refusal,
  code: number | null,
  message: unknown,
): JoinedFinding {
  const sentences = coversSubtree
    ? [`Discord refuses ${path} and does not say why.`]
    : [
        `Discord says${path === null ? '' : ` of ${path}`}: ${sentence}${/[.!?)]$/.test(sentence) ? '' : '.'}`,
      ];
  if (coversSubtree && message === undefined) {
    sentences.push('Check the message itself: the answer then says what is wrong in it.');
  }
  const there = path === null ? undefined : valueAt(message, path);
  if (there !== undefined) sentences.push(`There is ${quote(there)}.`);
  if (path === null) sentences.push(CODES[code ?? 0]?.advice ?? '');
  if (path === 'message_reference' && /unknown message/i.test(sentence)) {
    sentences.push(
      'The message to reply to was deleted: send fail_if_not_exists: false, or no message_reference.',
    );
  }
  return { ...toFinding(path, 'discord', sentences.join(' ').trim()), discord: sentence };
}

function valueAt(message: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce((value: unknown, key) => {
    if (isList(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, message);
}
