import * as z from 'zod';

import { BOT_FILTERS } from '../members/bot-filter.ts';
import { parseBooleanish } from './fields.ts';
import { problemMessage } from './input-problem.ts';

/** Whether bots count. Also accepts true (with bots) and false (without them). */
export function botsField() {
  return z
    .preprocess(
      (value) => {
        const areIn = parseBooleanish(value);
        if (areIn !== undefined) return areIn ? 'include' : 'exclude';
        return typeof value === 'string' ? value.trim().toLowerCase() : value;
      },
      z.enum(BOT_FILTERS, problemMessage('invalid_field/one_of', { words: BOT_FILTERS.join(', ') })),
    )
    .optional()
    .meta({ type: 'string', enum: [...BOT_FILTERS] });
}

/** The same in an answer. */
export const botsAnswer = z.enum(BOT_FILTERS).describe('Whether bots count: as you asked, or the default');
