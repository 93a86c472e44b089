import type { Cut } from '../cuts/cut.ts';
import type { Markup, Stretch } from '../markup/markup.ts';

/**
 * One odd back-tick makes code of everything up to the first back-tick of a later line, and so on: then no line of a list
 * has an end at which it could be cut. Finds the paragraphs with such code and a cut that nobody would choose.
 */
export function findKnots(text: string, { tokens }: Markup, path: readonly Cut[]): Stretch[] {
  const knots: Stretch[] = [];
  let token = 0;
  for (const [index, cut] of path.entries()) {
    if (cut.isNatural || cut.start < (knots.at(-1)?.end ?? 0)) continue;
    const from = path[index - 1]?.start ?? 0;
    const to = path[index + 1]?.end ?? text.length;
    while ((tokens[token]?.end ?? Infinity) <= from) token += 1;
    for (let at = token; (tokens[at]?.start ?? Infinity) < to; at += 1) {
      const found = tokens[at];
      // Brackets in code are hidden, so a link may hold it as well.
      if (found?.kind !== 'code' && found?.kind !== 'link') continue;
      const source = text.slice(found.start, found.end);
      if (!source.includes('`') || !source.includes('\n')) continue;
      const knot = paragraphAround(text, found);
      if (!holds(knot, cut)) continue;
      knots.push(knot);
      break;
    }
  }
  return knots;
}

/** Those in which another reading makes only cuts that are natural. */
export function untiedKnots(knots: readonly Stretch[], path: readonly Cut[]): Stretch[] {
  const forced = path.filter(({ isNatural }) => !isNatural);
  let next = 0;
  return knots.filter((knot) => {
    while ((forced[next]?.end ?? Infinity) < knot.start) next += 1;
    const cut = forced[next];
    return cut === undefined || !holds(knot, cut);
  });
}

function holds({ start, end }: Stretch, cut: Cut): boolean {
  return cut.end >= start && cut.end <= end;
}

function paragraphAround(text: string, { start, end }: Stretch): Stretch {
  const after = text.indexOf('\n\n', end);
  return { start: text.lastIndexOf('\n\n', start) + 1, end: after < 0 ? text.length : after };
}
