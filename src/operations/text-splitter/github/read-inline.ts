import { normaliseLabel } from './block.ts';
import { CodeSpans } from './code-spans.ts';
import { decodeEntities, readEntity } from './entities.ts';
import { readAttribute, readTag, type Tag } from './html-tag.ts';
import type { Inline, InlineContext, LinkStart, Run, Style } from './inline.ts';
import { readFormula } from './latex.ts';
import { endOfBareUrl, readLinkTarget } from './link-target.ts';
import { makeRun } from './make-run.ts';
import { pairRuns } from './pair-runs.ts';
import { codeOf, escapeMarks, noteMark, plainText } from './shown-text.ts';

const PLAIN = /[^\\`*_~[\]!<&$:\n]+/y;
/** Mentions, emoji, timestamps and places, as Discord reads them. */
const DISCORD_TOKEN =
  /<(?:@[!&]?\d{1,20}|#\d{1,20}|\/[^\n:<>]{1,100}:\d{1,20}|a?:\w{1,40}:\d{1,20}|t:-?\d{1,20}(?::\w)?|id:\w{1,40})>/y;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2000})>/iy;
const MAIL = /<([\w.!#$%&'*+/=?^`{|}~-]{1,100}@[\w.-]{1,100})>/y;
const NOTE = /\[\^([^\]\s[]{1,200})\]/y;
const BRACKETS_MAX = 1_000;
const LABEL_LENGTH_MAX = 999;
const TAGS_MAX = 32;

const STYLES: Readonly<Record<string, Style>> = {
  b: 'strong',
  strong: 'strong',
  i: 'emphasis',
  em: 'emphasis',
  s: 'strike',
  del: 'strike',
  strike: 'strike',
  u: 'underline',
  ins: 'underline',
};
const CODE_NAMES = new Set(['code', 'kbd', 'samp', 'tt']);

interface Bracket {
  /** Index of its entry. */
  readonly at: number;
  readonly textStart: number;
  readonly isImage: boolean;
}

/** Reads the marks inside a paragraph, heading or cell. */
export function readInline(text: string, context: InlineContext): Inline[] {
  const reader = new InlineReader(text, context);
  reader.read();
  return reader.parts;
}

class InlineReader {
  readonly parts: Inline[] = [];
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #runs: Run[] = [];
  /** Index of each run among the parts. */
  readonly #runAt: number[] = [];
  readonly #brackets: Bracket[] = [];
  readonly #tags: (Inline & { kind: 'style' })[] = [];
  readonly #links: LinkStart[] = [];
  readonly #spans: CodeSpans;
  /** Brackets below this one cannot be links, as they hold one. */
  #linkFloor = 0;
  /** Where the last bracket of any kind was: labels hold none. */
  #lastBracket = -1;
  #commentEnd = 0;

  constructor(text: string, context: InlineContext) {
    this.#text = text;
    this.#context = context;
    this.#spans = new CodeSpans(text);
  }

  read(): void {
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      PLAIN.lastIndex = at;
      if (PLAIN.test(text)) {
        const end = this.#withoutScheme(PLAIN.lastIndex);
        if (end > at) this.#addText(at, end);
        at = end;
        if (end < PLAIN.lastIndex) at = this.#readUrl(end);
        if (at >= text.length) break;
        if (end < PLAIN.lastIndex) continue;
      }
      at = this.#readSign(at);
    }
    pairRuns(this.#runs);
  }

  /** `https` before a colon belongs to an address. */
  #withoutScheme(end: number): number {
    const text = this.#text;
    if (text.charCodeAt(end) !== 0x3a || text.charCodeAt(end + 1) !== 0x2f) return end;
    const scheme = /https?$/i.exec(text.slice(Math.max(0, end - 5), end))?.[0] ?? '';
    return scheme !== '' && endOfBareUrl(text, end - scheme.length) > 0 ? end - scheme.length : end;
  }

  #readUrl(at: number): number {
    const end = endOfBareUrl(this.#text, at);
    this.parts.push({ kind: 'token', text: this.#text.slice(at, end) });
    return end;
  }

  #addText(from: number, to: number): number {
    this.parts.push({ kind: 'text', text: this.#text.slice(from, to) });
    return to;
  }

  #readSign(at: number): number {
    const text = this.#text;
    switch (text.charAt(at)) {
      case '\\':
        return this.#readBackslash(at);
      case '`':
        return this.#readCode(at);
      case '*':
        return this.#readRun(at, '*');
      case '_':
        return this.#readRun(at, '_');
      case '~':
        return this.#readRun(at, '~');
      case '!':
        if (text.charAt(at + 1) !== '[') return this.#addText(at, at + 1);
        return this.#openBracket(at, true);
      case '[':
        return this.#readNote(at) ?? this.#openBracket(at, false);
      case ']':
        return this.#closeBracket(at);
      case '<':
        return this.#readAngle(at);
      case '&':
        return this.#readReference(at);
      case '$':
        return this.#readFormula(at) ?? this.#addText(at, at + 1);
      case '\n':
        this.parts.push({ kind: 'break' });
        return at + 1;
      default:
        return this.#addText(at, at + 1);
    }
  }

  #readBackslash(at: number): number {
    const next = this.#text.charAt(at + 1);
    if (next === '\n') return at + 1;
    if (/[([]/.test(next)) {
      const end = this.#readFormula(at);
      if (end !== null) return end;
    }
    if (/[!-/:-@[-`{-~]/.test(next)) {
      this.parts.push({ kind: 'sign', text: next, source: `\\${next}` });
      return at + 2;
    }
    // Discord takes any sign after it for escaped.
    const isShown = next === '' || /[\s0-9A-Za-z]/.test(next);
    this.parts.push({ kind: 'sign', text: '\\', source: isShown ? '\\' : '\\\\' });
    return at + 1;
  }

  #readCode(at: number): number {
    const text = this.#text;
    const { bodyStart, bodyEnd, end } = this.#spans.read(at);
    if (end < 0) return this.#addText(at, bodyStart);
    const source = text.slice(at, end).replaceAll('\n', ' ');
    const body = text.slice(bodyStart, bodyEnd).replaceAll('\n', ' ');
    const isPadded = body.startsWith(' ') && body.endsWith(' ') && body.trim() !== '';
    this.parts.push({ kind: 'code', text: isPadded ? body.slice(1, -1) : body, source });
    return end;
  }

  #readRun(at: number, sign: Run['sign']): number {
    const text = this.#text;
    let end = at + 1;
    while (text.charAt(end) === sign) end += 1;
    // GitHub knows one tilde or two.
    if (sign === '~' && end - at > 2) return this.#addText(at, end);
    const run = makeRun(text, sign, at, end);
    this.#runAt.push(this.parts.length);
    this.parts.push(run);
    this.#runs.push(run);
    return end;
  }

  #readNote(at: number): number | null {
    NOTE.lastIndex = at;
    const label = NOTE.exec(this.#text)?.[1];
    if (label === undefined || !this.#context.notes.has(label)) return null;
    this.#context.changes.add('footnote');
    this.parts.push({ kind: 'text', text: noteMark(label) });
    return NOTE.lastIndex;
  }

  #openBracket(at: number, isImage: boolean): number {
    const end = at + (isImage ? 2 : 1);
    if (this.#brackets.length >= BRACKETS_MAX) return this.#addText(at, end);
    this.#brackets.push({ at: this.parts.length, textStart: end, isImage });
    this.#lastBracket = end;
    return this.#addText(at, end);
  }

  #closeBracket(at: number): number {
    const bracket = this.#brackets.pop();
    const isInnermost = bracket !== undefined && this.#lastBracket === bracket.textStart;
    this.#lastBracket = at;
    if (bracket === undefined) return this.#addText(at, at + 1);
    const isLink = bracket.isImage || this.#brackets.length >= this.#linkFloor;
    const target = isLink ? this.#readTarget(bracket, at, isInnermost) : null;
    this.#linkFloor = Math.min(this.#linkFloor, this.#brackets.length);
    if (target === null) return this.#addText(at, at + 1);
    if (bracket.isImage) {
      const alt = plainText(this.parts.splice(bracket.at).slice(1));
      // Runs inside an alternative text are part of it.
      while ((this.#runAt.at(-1) ?? -1) > bracket.at) {
        this.#runAt.pop();
        this.#runs.pop();
      }
      this.parts.push({ kind: 'image', alt, url: target.url });
    } else {
      const start: LinkStart = { kind: 'link', url: target.url };
      this.parts[bracket.at] = start;
      this.parts.push({ kind: 'linkEnd', start });
      this.#linkFloor = this.#brackets.length;
    }
    return target.end;
  }

  #readTarget(bracket: Bracket, at: number, isInnermost: boolean): { url: string; end: number } | null {
    const text = this.#text;
    const direct = readLinkTarget(text, at + 1);
    if (direct !== null) return direct;
    const { definitions, changes } = this.#context;
    if (definitions.size === 0) return null;
    const full = text.charCodeAt(at + 1) === 0x5b ? text.indexOf(']', at + 2) : -1;
    const hasLabel = full > at + 2 && full - at <= LABEL_LENGTH_MAX;
    const isShort = isInnermost && at - bracket.textStart <= LABEL_LENGTH_MAX;
    const label = hasLabel ? text.slice(at + 2, full) : isShort ? text.slice(bracket.textStart, at) : '';
    const definition = label === '' ? undefined : definitions.get(normaliseLabel(label));
    if (definition === undefined) return null;
    changes.add('reference');
    return { url: definition.url, end: hasLabel ? full + 1 : full === at + 2 ? full + 1 : at + 1 };
  }

  #readAngle(at: number): number {
    const text = this.#text;
    DISCORD_TOKEN.lastIndex = at;
    if (DISCORD_TOKEN.test(text)) {
      this.parts.push({ kind: 'token', text: text.slice(at, DISCORD_TOKEN.lastIndex) });
      return DISCORD_TOKEN.lastIndex;
    }
    AUTOLINK.lastIndex = at;
    const url = AUTOLINK.exec(text)?.[1];
    if (url !== undefined) {
      const isWeb = /^https?:\/\//i.test(url);
      if (isWeb) this.parts.push({ kind: 'token', text: `<${url}>` });
      else this.#addRemovedLink(url);
      return AUTOLINK.lastIndex;
    }
    MAIL.lastIndex = at;
    const mail = MAIL.exec(text)?.[1];
    if (mail !== undefined) {
      this.#addRemovedLink(mail);
      return MAIL.lastIndex;
    }
    return this.#readHtml(at) ?? this.#addText(at, at + 1);
  }

  #addRemovedLink(text: string): void {
    this.#context.changes.add('link_removed');
    this.parts.push({ kind: 'text', text });
  }

  #readHtml(at: number): number | null {
    const text = this.#text;
    if (text.startsWith('<!--', at)) {
      // Where the last search found nothing, there is nothing further on either.
      const end = at < this.#commentEnd ? -1 : text.indexOf('-->', at + 4);
      if (end < 0) this.#commentEnd = text.length;
      if (end < 0) return null;
      this.#context.changes.add('comment');
      return end + 3;
    }
    const tag = readTag(text, at);
    if (tag === null) return null;
    this.#context.changes.add('html');
    return CODE_NAMES.has(tag.name) && !tag.isEnd ? this.#readCodeTag(tag) : this.#readTag(tag);
  }

  #readCodeTag(tag: Tag): number {
    const text = this.#text;
    const close = text.slice(tag.end, tag.end + 4_000).search(/<\/(?:code|kbd|samp|tt)\s{0,9}>/i);
    if (close < 0) return tag.end;
    const inner = text.slice(tag.end, tag.end + close).replaceAll(/<\/?[a-z][^<>]*>/gi, '');
    // GitHub reads Markdown in it, code of HTML or not.
    const body = plainText(readInline(inner, this.#context)).replaceAll(/\s+/g, ' ');
    if (body.trim() !== '') this.parts.push({ kind: 'code', text: body, source: codeOf(body) });
    return text.indexOf('>', tag.end + close) + 1;
  }

  #readTag(tag: Tag): number {
    const { name, isEnd, end } = tag;
    const style = STYLES[name];
    if (style !== undefined) this.#addStyle(style, isEnd);
    else if (name === 'br') this.parts.push({ kind: 'break' });
    else if (name === 'img' && !isEnd) {
      const alt = decodeEntities(readAttribute(tag, 'alt'));
      this.parts.push({ kind: 'image', alt, url: decodeEntities(readAttribute(tag, 'src')) });
    } else if (name === 'a') {
      const start = this.#links.pop();
      if (start !== undefined) this.parts.push({ kind: 'linkEnd', start });
      if (!isEnd) {
        const opened: LinkStart = { kind: 'link', url: decodeEntities(readAttribute(tag, 'href')) };
        this.parts.push(opened);
        this.#links.push(opened);
      }
    }
    // A line break of the source after a break of HTML is the same one.
    return name === 'br' && this.#text.charCodeAt(end) === 0x0a ? end + 1 : end;
  }

  #addStyle(style: Style, isEnd: boolean): void {
    const entry: Inline & { kind: 'style' } = { kind: 'style', style, isEnd, isPaired: false };
    this.parts.push(entry);
    if (!isEnd) {
      if (this.#tags.length < TAGS_MAX) this.#tags.push(entry);
      return;
    }
    const at = this.#tags.findLastIndex((each) => each.style === style);
    const start = this.#tags[at];
    if (start === undefined) return;
    start.isPaired = true;
    entry.isPaired = true;
    this.#tags.length = at;
  }

  #readReference(at: number): number {
    const entity = readEntity(this.#text, at);
    if (entity === null) return this.#addText(at, at + 1);
    const { value, end } = entity;
    const isMark = /^[\\*_~`|[\]<>#@-]$/.test(value);
    this.parts.push({ kind: 'sign', text: value, source: isMark ? `\\${value}` : value });
    return end;
  }

  #readFormula(at: number): number | null {
    const formula = this.#context.readsLatex ? readFormula(this.#text, at) : null;
    if (formula === null) return null;
    if (formula.text === null) {
      this.parts.push({ kind: 'code', text: formula.source, source: codeOf(formula.source) });
    } else {
      this.#context.changes.add('formula');
      this.parts.push({ kind: 'sign', text: formula.text, source: escapeMarks(formula.text) });
    }
    return formula.end;
  }
}
