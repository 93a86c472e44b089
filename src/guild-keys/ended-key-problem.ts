import { Problem, type ProblemCode, type ProblemOptions } from '../problem.ts';
import type { VerifiedKey } from './guild-keys.ts';

/**
 * A real key that no longer works: revoked, expired or suspended. The refusal keeps the form that the key's answers
 * had, because a builder that could not see the status then cannot see it now either.
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
