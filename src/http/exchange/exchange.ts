import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { EndedKeyProblem } from '../../guild-keys/ended-key-problem.ts';
import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Answer, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { guessAnswerOptions, readAnswerOptions, type AnswerOptions } from '../answer/answer-options.ts';
import { discardRest } from '../body/discard-rest.ts';
import { allowedMethods, type Call, type Endpoint } from './endpoint.ts';
import { flatten } from '../answer/flat.ts';
import type { HttpParts } from './http-parts.ts';
import { problemBody, problemHeaders } from '../answer/problem-response.ts';
import { readBody } from '../body/read-body.ts';
import { readQuery } from '../body/read-query.ts';
import { readPresentedKey, refuseRequest } from './refuse-request.ts';
import { COMMON_HEADERS, PROBLEM_TYPE, sendJson, SUCCESS_TYPE } from '../answer/send.ts';

type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

/** Why a call is over, for those who still work for it. */
const GONE = new DOMException('The caller has left.', 'AbortError');
const ANSWERED = new DOMException('The answer has left.', 'AbortError');

/** Bodies of refused calls are read only for their answer options: a stranger's body is not worth more. */
const REFUSED_BODY_BYTES_MAX = 16 * 1024;

/** One request and its answer, from the key to the log line. */
export class Exchange implements Call {
  readonly method: string;
  readonly requestId = randomUUID();
  readonly #startedAt = performance.now();
  readonly #headers: Record<string, string> = { 'X-Request-Id': this.requestId, 'Cache-Control': 'no-store' };
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #endpoint: Endpoint;
  readonly #parts: HttpParts;
  readonly #url: string;
  #key: VerifiedKey | null = null;
  /** How the caller's key wants its answers, also one that has ended. */
  #defaults: Pick<VerifiedKey, 'flat' | 'always200'> = { flat: false, always200: false };
  #query = NO_FIELDS;
  /** null as long as nothing of it was read. */
  #body: Fields | null = null;
  #aborter: AbortController | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, endpoint: Endpoint, parts: HttpParts) {
    this.method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    this.#request = request;
    this.#response = response;
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#url = request.url ?? '/';
  }

  get key(): VerifiedKey {
    if (this.#key === null) throw new Error('The key is read before it was verified.');
    return this.#key;
  }

  get body(): Fields {
    return this.#body ?? NO_FIELDS;
  }

  get query(): Fields {
    return this.#query;
  }

  get token(): string | null {
    return this.#request.headers['token']?.toString() || null;
  }

  get signal(): AbortSignal {
    if (this.#aborter === null) {
      const aborter = new AbortController();
      this.#aborter = aborter;
      // Also when the answer has left: what was held for it can go. By itself `abort` makes an exception with its
      // stack each time, which costs as much as a small answer.
      this.#response.once('close', () => aborter.abort(this.#response.writableFinished ? ANSWERED : GONE));
    }
    return this.#aborter.signal;
  }

  /**
   * Never rejects: whatever fails becomes an answer.
   * @param refusal what is known to be wrong before the request was looked at
   */
  async serve(refusal: Problem | null = null): Promise<void> {
    let problem: Problem | null = null;
    let status: number;
    try {
      status = await this.#answer(refusal);
    } catch (error) {
      problem = Problem.from(error);
      status = problem.status;
      await this.#refuse(problem).catch((failure: unknown) => {
        this.#parts.log.error({ err: failure, request_id: this.requestId }, 'an answer could not be written');
        this.#response.destroy();
      });
    }
    discardRest(this.#request, this.#parts);
    this.#parts.onRequest({
      requestId: this.requestId,
      operation: this.#endpoint.name,
      key: this.#key,
      status,
      code: problem?.code ?? null,
      cause: problem?.cause,
      durationMs: performance.now() - this.#startedAt,
    });
  }

  /** @returns the status that the answer means */
  async #answer(known: Problem | null): Promise<number> {
    const endpoint = this.#endpoint;
    this.#query = readQuery(this.#url);
    const refusal = known ?? refuseRequest(this.#request, this.#url, endpoint.methods);
    // A document that was asked for in the wrong way has told already what it takes.
    if (refusal?.code === 'method_not_allowed' && !this.#response.hasHeader('Allow')) {
      this.#headers['Allow'] = allowedMethods(endpoint.methods);
    }
    if (refusal === null && this.method === 'OPTIONS') return this.#sendMethods();
    await this.#identify(refusal);
    if (refusal !== null) throw refusal;

    if (this.method === 'POST' && endpoint.bodyBytesMax > 0) {
      this.#body = NO_FIELDS;
      this.#body = await readBody(this.#request, {
        ...this.#parts,
        owner: this.#parts.bodyOwner(this.#request, this.#key),
        bytesMax: endpoint.bodyBytesMax,
        textField: endpoint.textField,
      });
    }
    const options = readAnswerOptions([this.body, this.#query], this.#defaults);
    const answer = await endpoint.handle(this);
    try {
      return await this.#send(answer, options);
    } finally {
      answer.release?.();
    }
  }

  /** Whose request it is. A request that is refused anyway gets the limits and defaults of its key, if it has one. */
  async #identify(refusal: Problem | null): Promise<void> {
    const { key, bucket } = this.#endpoint;
    // What stands twice cannot be read.
    if (key === 'ignored' || refusal?.code === 'bad_request') return;
    const { admission } = this.#parts;
    const request = this.#request;
    const isUrgent = this.#endpoint.urgentMethods?.includes(this.method) === true;
    try {
      this.#key = await admission.identify({
        key: readPresentedKey(request),
        address: () => this.#parts.addressOf(request),
        isUrgent,
      });
      this.#defaults = this.#key;
    } catch (error) {
      if (error instanceof EndedKeyProblem) this.#defaults = error.answers;
      if (key === 'welcome' || refusal !== null) return;
      throw error;
    }
    if (isUrgent) return;
    const counted = await admission.count(bucket, this.#key.ownerId);
    Object.assign(this.#headers, counted.headers);
    if (counted.refusal !== null) throw counted.refusal;
  }

  #sendMethods(): number {
    const headers = { ...COMMON_HEADERS, ...this.#headers, Allow: allowedMethods(this.#endpoint.methods) };
    this.#response.writeHead(204, headers).end();
    return 204;
  }

  async #send(answer: Answer<SuccessBody>, options: AnswerOptions): Promise<number> {
    const headers = this.#headers;
    let body: Readonly<Record<string, unknown>> = answer.value;
    let status = 200;
    if (answer.pendingSeconds !== undefined) {
      status = 202;
      headers['Retry-After'] = String(answer.pendingSeconds);
      if (options.always200) body = { ...body, status };
    } else if (answer.version !== undefined) {
      headers['Cache-Control'] = 'private, no-cache';
      headers['ETag'] = entityTag(answer.version, options);
      if (matches(this.#request.headers['if-none-match'], headers['ETag'])) {
        this.#response.writeHead(304, { ...COMMON_HEADERS, ...headers }).end();
        return 304;
      }
    }
    headers['Content-Type'] = SUCCESS_TYPE;
    await sendJson(
      this.#response,
      options.always200 ? 200 : status,
      headers,
      options.flat ? flatten(body, options.separator) : body,
    );
    return status;
  }

  async #refuse(problem: Problem): Promise<void> {
    const response = this.#response;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const options = guessAnswerOptions(
      [this.#body ?? (await this.#readRefusedBody()), this.#query],
      this.#defaults,
    );
    const body = { ...problemBody(problem, this.requestId) };
    await sendJson(
      response,
      options.always200 ? 200 : problem.status,
      { ...this.#headers, ...problemHeaders(problem), 'Content-Type': PROBLEM_TYPE },
      options.flat ? flatten(body, options.separator) : body,
    );
  }

  /** A small body that was not looked at yet may ask for `always_200` or `flat`, also when the key is refused. */
  async #readRefusedBody(): Promise<Fields> {
    const isSmall = Number(this.#request.headers['content-length'] ?? Infinity) <= REFUSED_BODY_BYTES_MAX;
    if (!isSmall || this.method !== 'POST') return NO_FIELDS;
    const owner = this.#parts.bodyOwner(this.#request, this.#key);
    const options = { ...this.#parts, owner, bytesMax: REFUSED_BODY_BYTES_MAX, textField: null };
    return readBody(this.#request, options).catch(() => NO_FIELDS);
  }
}

/** @param version says all that the answer depends on but for how it is written */
function entityTag(version: string, { flat, separator }: AnswerOptions): string {
  const digest = createHash('sha256').update(JSON.stringify([version, flat, flat ? separator : null]));
  return `"${digest.digest('base64url').slice(0, 27)}"`;
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((given) => {
    const candidate = given.trim().replace(/^W\//, '');
    return candidate === '*' || candidate === tag;
  });
}
