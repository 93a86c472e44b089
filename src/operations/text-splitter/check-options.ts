import { Problem } from '../../kernel/problem.ts';
import type { SplitRequest } from './request.ts';

/**
 * Refuses fields that need the whole text, or would be repeated with each part of it.
 * @throws Problem invalid_field
 */
export function checkStream(request: SplitRequest): void {
  const { dialect, counter, prepend, append, index, max_chunks, details } = request;
  const given = {
    'dialect=github': dialect === 'github',
    counter,
    prepend,
    append,
    index,
    max_chunks,
    details,
  };
  const refused = Object.entries(given).find(([, value]) => Boolean(value));
  if (refused === undefined) return;
  throw new Problem('invalid_field/final', { field: 'final', values: { option: refused[0] } });
}

/** @throws Problem limit_too_small */
export function checkRoom(
  { prepend, append, counter }: Pick<SplitRequest, 'prepend' | 'append' | 'counter'>,
  maxLength: number,
): void {
  if ((prepend + append + counter).length * 2 <= maxLength) return;
  throw new Problem('limit_too_small/added', { field: 'max_length' });
}
