import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { EndedKeyProblem } from '../../guild-keys/ended-key-problem.ts';
import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Answer, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { guessAnswerOptions, readAnswerOptions, type AnswerOptions } from '../answer/answer-options.ts';
import type { BodyOwner } from '../body/body-room.ts';
import { discardRest } from '../body/discard-rest.ts';
import type { Counted } from './admission.ts';
import { allowedMethods, type Call, type Endpoint } from './endpoint.ts';
import { entityTag, matchesTag } from '../answer/entity-tag.ts';
import { flatten } from '../answer/flat.ts';
import type { HttpParts } from './http-parts.ts';
import type { AskedFor } from './kept-answers.ts';
import { problemBody, problemHeaders } from '../answer/problem-response.ts';
import { readBody } from '../body/read-body.ts';
import { readQuery } from '../body/read-query.ts';
import { readPresentedKey, refuseRequest } from './refuse-request.ts';
import { PROBLEM_TYPE, sendEmpty, sendJson, sendWritten, SUCCESS_TYPE, toJson } from '../answer/send.ts';

type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};
const NO_DEFAULTS = { flat: false, always200: false };

const NO_STORE = 'no-store';
const REVALIDATE = 'private, no-cache';

/** Why a call is over, for code that still works on it. */
const GONE = new DOMException('The caller has left.', 'AbortError');
const ANSWERED = new DOMException('The answer has left.', 'AbortError');

/** Bodies of refused calls are read only for their answer options: a stranger's body is not worth more. */
const REFUSED_BODY_BYTES_MAX = 16 * 1024;

/** One request and its answer, from the key to the log line. */
export class Exchange implements Call {
  readonly method: string;
  readonly requestId = randomUUID();
  readonly #startedAt = performance.now();
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #endpoint: Endpoint;
  readonly #parts: HttpParts;
  readonly #url: string;
  #allow: string | null = null;
  #limits: Counted['headers'] | null = null;
  #key: VerifiedKey | null = null;
  /** How the caller's key wants its answers written, even if the key has ended. */
  #defaults: Pick<VerifiedKey, 'flat' | 'always200'> = NO_DEFAULTS;
  /** null until it is read. A long query costs milliseconds, so the key is checked first. */
  #query: Fields | null = null;
  /** null until reading begins. */
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
    return this.#query ?? NO_FIELDS;
  }

  header(name: string): string | null {
    return this.#request.headers[name.toLowerCase()]?.toString() || null;
  }

  get signal(): AbortSignal {
    if (this.#aborter === null) {
      const aborter = new AbortController();
      this.#aborter = aborter;
      // It also aborts once the answer has left, because what was held for it can go then. Without a reason, `abort`
      // makes an exception with its stack each time, which costs as much as a small answer.
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
    const refusal = known ?? refuseRequest(this.#request, this.#url, endpoint.methods);
    // A document that was asked for with a wrong method has already named the right ones.
    if (refusal?.code === 'method_not_allowed' && !this.#response.hasHeader('Allow')) {
      this.#allow = allowedMethods(endpoint.methods);
    }
    if (refusal === null && this.method === 'OPTIONS') {
      this.#allow = allowedMethods(endpoint.methods);
      sendEmpty(this.#response, 204, this.#headers());
      return 204;
    }
    await this.#identify(refusal);
    if (refusal !== null) throw refusal;
    if (this.#key !== null) endpoint.checkKey?.(this.#key);

    if (this.method === 'POST' && endpoint.bodyBytesMax > 0) {
      this.#body = NO_FIELDS;
      const body = this.#readBody(endpoint.bodyBytesMax, endpoint.textField);
      this.#body = body instanceof Promise ? await body : body;
    }
    const kept = this.method === 'GET' ? endpoint.kept?.find(this.#askedFor()) : null;
    if (kept !== null && kept !== undefined) {
      if (this.#isKnown(kept.tag)) return this.#sendUnchanged(kept.tag);
      if (kept.text !== null) return this.#sendKept(kept.tag, kept.text);
    }
    const query = this.#readQuery();
    this.#query = query instanceof Promise ? await query : query;
    const options = readAnswerOptions(this.body, this.#query, this.#defaults);
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
    // A key that was sent twice cannot be read.
    if (key === 'ignored' || refusal?.code === 'bad_request') return;
    const { admission } = this.#parts;
    const request = this.#request;
    const isUrgent = this.#endpoint.urgentMethods?.includes(this.method) === true;
    try {
      const found = admission.identify({
        key: readPresentedKey(request),
        address: () => this.#parts.addressOf(request),
        isUrgent,
      });
      this.#key = found instanceof Promise ? await found : found;
      this.#defaults = this.#key;
    } catch (error) {
      if (error instanceof EndedKeyProblem) this.#defaults = error.answers;
      if (key === 'welcome' || refusal !== null) return;
      throw error;
    }
    if (isUrgent) return;
    const counting = admission.count(bucket, this.#key.ownerId);
    const counted = counting instanceof Promise ? await counting : counting;
    this.#limits = counted.headers;
    if (counted.refusal !== null) throw counted.refusal;
  }

  #bodyOwner(): BodyOwner {
    return this.#parts.bodyOwner(this.#request, this.#key);
  }

  #readBody(bytesMax: number, textField: string | null): Fields | Promise<Fields> {
    const { bodyTimeoutMs } = this.#parts;
    return readBody(this.#request, { bytesMax, textField, bodyTimeoutMs, owner: () => this.#bodyOwner() });
  }

  #readQuery(): Fields | Promise<Fields> {
    return this.#query ?? readQuery(this.#url, () => this.#bodyOwner());
  }

  /** @param tag of an answer that may be asked for again; null for others */
  #headers(tag: string | null = null): string[] {
    const headers = ['X-Request-Id', this.requestId, 'Cache-Control', tag === null ? NO_STORE : REVALIDATE];
    if (tag !== null) headers.push('ETag', tag);
    if (this.#limits !== null) {
      const { 'RateLimit-Policy': policy, RateLimit: limit } = this.#limits;
      headers.push('RateLimit-Policy', policy, 'RateLimit', limit);
    }
    if (this.#allow !== null) headers.push('Allow', this.#allow);
    return headers;
  }

  /** What an answer to this request depends on, beside the answer itself. */
  #askedFor(): AskedFor {
    return { ownerId: this.key.ownerId, flat: this.#defaults.flat, url: this.#url };
  }

  /** Whether the caller has the answer of this tag. */
  #isKnown(tag: string): boolean {
    return matchesTag(this.#request.headers['if-none-match'], tag);
  }

  #sendUnchanged(tag: string): number {
    sendEmpty(this.#response, 304, this.#headers(tag));
    return 304;
  }

  async #sendKept(tag: string, text: string): Promise<number> {
    await sendWritten(this.#response, 200, [...this.#headers(tag), 'Content-Type', SUCCESS_TYPE], text);
    return 200;
  }

  /** @returns the status that the answer means */
  async #send(answer: Answer<SuccessBody>, options: AnswerOptions): Promise<number> {
    const { pendingSeconds, version, isCurrent } = answer;
    const tag = version === undefined || pendingSeconds !== undefined ? null : entityTag(version, options);
    if (tag !== null && this.#isKnown(tag)) {
      if (isCurrent !== undefined)
        this.#endpoint.kept?.keep(this.#askedFor(), { tag, text: null, isCurrent });
      return this.#sendUnchanged(tag);
    }
    const headers = this.#headers(tag);
    headers.push('Content-Type', SUCCESS_TYPE);
    let body: Readonly<Record<string, unknown>> = answer.value;
    let status = 200;
    if (pendingSeconds !== undefined) {
      status = 202;
      headers.push('Retry-After', String(pendingSeconds));
      if (options.always200) body = { ...body, status };
    }
    const json = toJson(options.flat ? flatten(body, options.separator) : body);
    if (tag !== null && isCurrent !== undefined) {
      const text = typeof json === 'string' ? json : null;
      this.#endpoint.kept?.keep(this.#askedFor(), { tag, text, isCurrent });
    }
    await sendWritten(this.#response, options.always200 ? 200 : status, headers, json);
    return status;
  }

  async #refuse(problem: Problem): Promise<void> {
    const response = this.#response;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const given = this.#body ?? (await this.#readRefusedBody());
    const options = guessAnswerOptions(given, await this.#readQuery(), this.#defaults);
    const body = { ...problemBody(problem, this.requestId) };
    await sendJson(
      response,
      options.always200 ? 200 : problem.status,
      [...this.#headers(), ...Object.entries(problemHeaders(problem)).flat(), 'Content-Type', PROBLEM_TYPE],
      options.flat ? flatten(body, options.separator) : body,
    );
  }

  /** A small body that was not looked at yet may ask for `always_200` or `flat`, also when the key is refused. */
  async #readRefusedBody(): Promise<Fields> {
    const isSmall = Number(this.#request.headers['content-length'] ?? Infinity) <= REFUSED_BODY_BYTES_MAX;
    if (!isSmall || this.method !== 'POST' || this.#request.readableEnded) return NO_FIELDS;
    try {
      return await this.#readBody(REFUSED_BODY_BYTES_MAX, null);
    } catch {
      return NO_FIELDS;
    }
  }
}
