import { Problem } from '../../kernel/problem.ts';
import { createRuler } from './chars/length-unit.ts';
import type { SplitOptions } from './split-options.ts';

/** Fields that need the whole text, or would be repeated with each part. */
interface WholeTextFields {
  readonly counter: string;
  readonly prepend: string;
  readonly append: string;
  readonly index?: number | undefined;
  readonly max_chunks?: number | undefined;
  readonly details: boolean;
}

/** @throws Problem invalid_field */
export function checkStream(input: WholeTextFields): void {
  const { counter, prepend, append, index, max_chunks, details } = input;
  const given = { counter, prepend, append, index, max_chunks, details };
  const refused = Object.entries(given).find(([, value]) => Boolean(value));
  if (refused === undefined) return;
  throw new Problem('invalid_field/final', { field: 'final', values: { option: refused[0] } });
}

/** @throws Problem limit_too_small */
export function checkRoom({ prepend, append, counter, maxLength, lengthUnit }: SplitOptions): void {
  const added = prepend + append + counter;
  if (createRuler(added, lengthUnit).at(added.length) * 2 <= maxLength) return;
  throw new Problem('limit_too_small/added', { field: 'max_length' });
}
