/** An answer that is not HTTP as RFC 9112 has it, or ends too early. What it says is for the log. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly code: string;

  constructor(code: 'BAD_HEAD' | 'BAD_LENGTH' | 'BAD_CHUNK' | 'CUT_OFF') {
    super(code);
    this.code = code;
  }
}

export interface AnswerHead {
  readonly status: number;
  /** All values of a header, in order. */
  valuesOf(name: string): readonly string[];
}

/** How the end of a body is known: by a number of bytes, by its chunks, or because the connection ends. */
export type BodyEnd = number | 'chunks' | 'close';

const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [^\0\r\n]*)?$/;
/**
 * A name is a token (RFC 9110, section 5.6.2). A line that continues the one before has none, and is refused. Spaces
 * around the value are left to `trim`: here they could be matched in two ways, which takes time.
 */
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~\dA-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * The status line and the headers of an answer. Strict: what one reader takes for a header and another does not has
 * no place in what is connected to only once.
 * @param text of ISO 8859-1, without the empty line at its end
 * @throws AnswerError
 */
export function readAnswerHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) throw new AnswerError('BAD_HEAD');
  const headers = lines.map((line): readonly [name: string, value: string] => {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new AnswerError('BAD_HEAD');
    return [name.toLowerCase(), value.trim()];
  });
  return {
    status: Number(status),
    valuesOf: (wanted) => headers.filter(([name]) => name === wanted).map(([, value]) => value),
  };
}

/**
 * RFC 9112, section 6.3. Two lengths, or a length and chunks, are refused even where they agree.
 * @throws AnswerError
 */
export function bodyEndOf(head: AnswerHead): BodyEnd {
  const codings = head.valuesOf('transfer-encoding');
  const lengths = head.valuesOf('content-length');
  const [coding] = codings;
  const [length] = lengths;
  if (codings.length + lengths.length > 1) throw new AnswerError('BAD_LENGTH');
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw new AnswerError('BAD_LENGTH');
    return 'chunks';
  }
  if (length === undefined) return 'close';
  // More digits are beyond what a number holds, and beyond any file.
  if (!/^\d{1,15}$/.test(length)) throw new AnswerError('BAD_LENGTH');
  return Number(length);
}
