import { Problem, type ProblemCode, type ProblemOptions } from '../problem.ts';
import type { VerifiedKey } from './guild-keys.ts';

/**
 * A real key that does not work any more: revoked, expired or suspended. Its holder reads the refusal as the key
 * wanted its answers, because a builder that cannot see the status cannot see it now either.
 */
export class EndedKeyProblem extends Problem {
  readonly answers: Pick<VerifiedKey, 'flat' | 'always200'>;

  constructor(
    code: Extract<ProblemCode, 'key_revoked' | 'key_expired' | 'key_suspended'>,
    { flat, always200 }: VerifiedKey,
    options: ProblemOptions = {},
  ) {
    super(code, options);
    this.answers = { flat, always200 };
  }
}
