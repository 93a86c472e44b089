import type { CodeToken } from '../markup/markup.ts';
import type { Seam } from './seam.ts';
import type { TextWalk } from './text-walk.ts';

/**
 * The seam of a cut in code.
 * @param lead is put before the next chunk's first line of code
 */
export function codeSeam(walk: TextWalk, token: CodeToken, lead: string): Seam {
  const { kind, start, run, bodyStart, language } = token;
  const isFence = kind === 'fence';
  // In mode `code` the fence is not part of the text.
  const isWritten = bodyStart > start;
  return walk.options.seams.make({
    styles: walk.here.styles,
    quote: walk.quote(),
    heading: isFence ? '' : walk.here.line.heading,
    code: {
      run: isWritten ? walk.text.slice(start, start + run) : '`'.repeat(run),
      language,
      openingLength: isWritten ? bodyStart - start : run + language.length,
      isFence,
    },
    lead,
  });
}
