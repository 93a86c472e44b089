import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Answer, SuccessBody } from '../../operations/operation.ts';
import type { KeptAnswers } from './kept-answers.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

type Fields = Readonly<Record<string, unknown>>;

/** One accepted call: whose key it is, and what came with it. */
export interface Call {
  /** `GET` for HEAD too. */
  readonly method: string;
  /** Fields by name as they came, unknown ones included; none without a body. */
  readonly body: Fields;
  /** The same of the query: they count where the body has none. */
  readonly query: Fields;
  readonly key: VerifiedKey;
  /** What a header holds; null when it is empty or not there. */
  header(name: string): string | null;
  /** Aborts when the caller is gone, or when the answer has left. */
  readonly signal: AbortSignal;
}

/** A path that answers in JSON. */
export interface Endpoint {
  /** Its name in logs and metrics; null for the endpoint of unknown addresses. */
  readonly name: string | null;
  readonly path: string;
  /** HEAD comes with GET, OPTIONS always. Empty: any. */
  readonly methods: readonly Method[];
  /** `welcome`: a valid one makes the answer its guild's, with its limits and defaults; another is not looked at. */
  readonly key: 'required' | 'welcome' | 'ignored';
  readonly bucket: 'guild' | 'image';
  /** Methods that count in no bucket and never wait for callers with wrong keys. Default none. */
  readonly urgentMethods?: readonly string[];
  readonly bodyBytesMax: number;
  /** The field that a text/plain body fills; null where such a body is refused. */
  readonly textField: string | null;
  /** Its answers that say by themselves when they change; undefined where they do not. */
  readonly kept?: KeptAnswers | undefined;
  /** What this key may not do, found before the body is read. @throws Problem `operation_not_allowed` */
  checkKey?(key: VerifiedKey): void;
  /** @throws Problem */
  handle(call: Call): Promise<Answer<SuccessBody>>;
}

export const WITHOUT_BODY = { bodyBytesMax: 0, textField: null } as const;

/** The Allow header of an endpoint. */
export function allowedMethods(methods: readonly Method[]): string {
  const all: readonly Method[] = methods.length === 0 ? ['GET', 'POST', 'DELETE'] : methods;
  return all
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ');
}
