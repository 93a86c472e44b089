import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Answer, SuccessBody } from '../../operations/operation.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** One accepted call: whose key it is, and what came beside the fields. */
export interface Call {
  /** HEAD is told as GET. */
  readonly method: string;
  readonly key: VerifiedKey;
  /** The Token header, or null. */
  readonly token: string | null;
  /** Aborts when the caller is gone, or when the answer has left. */
  readonly signal: AbortSignal;
}

/** A path that answers in JSON. */
export interface Endpoint {
  /** In logs and metrics; null for what stands for unknown addresses. */
  readonly name: string | null;
  readonly path: string;
  /** HEAD comes with GET, OPTIONS always. Empty: any. */
  readonly methods: readonly Method[];
  /** `welcome`: a valid one makes the answer its guild's, with its limits and defaults; another is not looked at. */
  readonly key: 'required' | 'welcome' | 'ignored';
  readonly bucket: 'guild' | 'image';
  /** Methods that count in no bucket. Default none. */
  readonly unlimitedMethods?: readonly string[];
  readonly bodyBytesMax: number;
  readonly textField: string | null;
  /** Others are left aside, whatever they hold. */
  readonly fieldNames: readonly string[];
  /** Fields whose empty string is a value; elsewhere it counts as absent. */
  readonly keepsEmpty: readonly string[];
  /** @throws Problem */
  handle(fields: Readonly<Record<string, unknown>>, call: Call): Promise<Answer<SuccessBody>>;
}

/** What an endpoint is that takes no fields. */
export const WITHOUT_FIELDS = { bodyBytesMax: 0, textField: null, fieldNames: [], keepsEmpty: [] } as const;

/** The Allow header of an endpoint. */
export function allowedMethods(methods: readonly Method[]): string {
  const all: readonly Method[] = methods.length === 0 ? ['GET', 'POST', 'DELETE'] : methods;
  return all
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ');
}
