import { micromark, type Options } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

import { codeSlate } from './coloured-code.ts';
import { ESCAPES, Markup } from './html.ts';

type HtmlExtension = NonNullable<Options['htmlExtensions']>[number];
type Handle = NonNullable<NonNullable<HtmlExtension['enter']>['data']>;
/** By the name of the token. Only their own package knows the names for tables. */
type Handles = Readonly<Record<string, Handle | undefined>>;

const SYNTAX = [gfm()];
const GFM = gfmHtml();
const GFM_ENTER: Handles = { ...GFM.enter };
const GFM_EXIT: Handles = { ...GFM.exit };

/** A text of Markdown, in the look of the pages. */
export function markdown(text: string): Markup {
  return new Markup(micromark(text, { extensions: SYNTAX, htmlExtensions: [GFM, ours()] }));
}

/** The same for a sentence, without a paragraph around it. */
export function inlineMarkdown(text: string): Markup {
  return new Markup(markdown(text).html.replace(/^<p>(.*)<\/p>$/s, '$1'));
}

/** What a reader sees of HTML that was made here. */
export function plainText({ html }: Markup): string {
  return html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|amp|#39);/g, (escaped) => SIGNS.get(escaped) ?? escaped)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const SIGNS = new Map(Object.entries(ESCAPES).map(([sign, escaped]) => [escaped, sign]));

/** The id that GitHub gives a heading, so that links work in both places. */
export function headingId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Links between pages, and to pictures, use file names in the repository and addresses here. */
function toAddress(target: string): string {
  return target.replace(/^(\w+)\.md(?=#|$)/, '$1').replace(/^\.\.\/README\.md.*/, '..');
}

/** Headings with ids, code in colours with *Copy*, tables that scroll by themselves, links between the pages. */
function ours(): HtmlExtension {
  let isAddress = false;
  let language = '';
  let rank = 0;
  let heading = '';
  let tables = 0;
  const enter: Handles = {
    resourceDestinationString() {
      this.buffer();
      this.setData('ignoreEncode', true);
      isAddress = true;
    },
    codeFenced() {
      language = '';
      this.lineEndingIfNeeded();
      this.setData('fencesCount', 0);
      this.buffer();
    },
    table(token) {
      this.lineEndingIfNeeded();
      tables += 1;
      this.tag(`<section class="scroll" tabindex="0" aria-label="${heading}, table ${tables}">`);
      GFM_ENTER['table']?.call(this, token);
    },
    tableHeader(token) {
      this.lineEndingIfNeeded();
      this.buffer();
      GFM_ENTER['tableHeader']?.call(this, token);
    },
  };
  const exit: Handles = {
    data(token) {
      const text = this.sliceSerialize(token);
      this.raw(this.encode(isAddress ? toAddress(text) : text));
    },
    resourceDestination() {
      isAddress = false;
    },
    atxHeadingSequence(token) {
      if (rank > 0) return;
      rank = this.sliceSerialize(token).length;
      this.lineEndingIfNeeded();
      this.buffer();
    },
    atxHeading() {
      const inner = this.resume();
      heading = this.encode(plainText(new Markup(inner)));
      this.tag(`<h${rank} id="${headingId(heading)}">${inner}</h${rank}>`);
      rank = 0;
    },
    codeFencedFenceInfo() {
      language = this.resume();
    },
    codeFencedFence() {
      const count = this.getData('fencesCount') ?? 0;
      if (count === 0) this.setData('slurpOneLineEnding', true);
      this.setData('fencesCount', count + 1);
    },
    codeFlowValue(token) {
      this.raw(this.sliceSerialize(token));
    },
    codeFenced() {
      const code = this.resume();
      this.setData('fencesCount');
      this.setData('slurpOneLineEnding');
      this.tag(codeSlate('Code', code.replace(/\n$/, ''), language).html);
      this.lineEndingIfNeeded();
    },
    table(token) {
      GFM_EXIT['table']?.call(this, token);
      this.tag('</section>');
    },
    tableHeader(token) {
      GFM_EXIT['tableHeader']?.call(this, token);
      this.raw(this.resume().replace(/^(\s*)<th[^>]*><\/th>$/, '$1<td></td>'));
    },
  };
  return { enter, exit };
}
