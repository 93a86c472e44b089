import { defineOperation } from '../define-operation.ts';
import { answerRequest } from './answer-request.ts';
import { input, output } from './request.ts';

export const textSplitter = defineOperation({
  name: 'text-splitter',
  path: '/api/text-splitter',
  method: 'POST',
  summary: 'Cuts a text into pieces that fit a Discord message and keep their formatting',
  description: [
    'Each chunk fits `max_length` and looks, on its own, as that part of the whole looked: code blocks, spoilers, bold and quotes that are open at a cut are closed there and opened again in the next chunk. Marks more than `max_length` apart become plain characters, so a spoiler that long is not hidden. Mentions, custom emoji, timestamps, links and joined emoji are never cut. There are as few chunks as possible, cut at the best places among those.',
    '',
    'A chunk without its `added_prefix` and `added_suffix` (with `details=true`) is `text.slice(start, end)`; between one `end` and the next `start` there is only white space, and inside a code block exactly one line break.',
  ].join('\n'),
  bodyBytesMax: 1024 * 1024,
  textField: 'text',
  mistakenFields: { content: 'missing_field/content' },
  input,
  output,
  example: {
    input: { text: 'Do not read on: ||the butler did it. Nobody else was home.||', max_length: 46 },
    answer: {
      count: 2,
      chunks: ['Do not read on: ||the butler did it.||', '||Nobody else was home.||'],
      max_length: 46,
      total_length: 60,
      truncated: false,
    },
  },
  problems: ['text_too_long', 'too_many_chunks', 'limit_too_small'],
  async run(request, { tenantId, signal }) {
    return { value: await answerRequest(request, tenantId, signal) };
  },
});
