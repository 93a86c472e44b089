import { headingOf } from '../markup/line-start.ts';
import { TOKEN } from '../markup/markup.ts';
import type { CutWalk } from './cut-walk.ts';
import type { Seam } from './seam.ts';

/** The seam of a cut in the next token, which is code. @param lead what begins the next chunk's first line of code */
export function codeSeam(walk: CutWalk, lead: string): Seam {
  const { token, text } = walk;
  const { tokens } = walk.markup;
  const start = tokens.start(token);
  const length = tokens.run(token);
  const isFence = tokens.kind(token) === TOKEN.fence;
  const bodyStart = tokens.bodyStart(token);
  // In mode `code` the fence is not part of the text.
  const isWritten = bodyStart > start;
  const language = tokens.language.get(token) ?? '';
  return walk.options.seams.make({
    styles: walk.styles,
    quote: walk.quote(),
    heading: isFence ? '' : headingOf(walk.line),
    code: {
      run: isWritten ? text.slice(start, start + length) : '`'.repeat(length),
      language,
      openingLength: isWritten ? bodyStart - start : length + language.length,
      isFence,
    },
    lead,
  });
}
