import { textSplitter } from '../../../operations/text-splitter/operation.ts';
import { present } from './presentation.ts';

export const textSplitterPresentation = present(textSplitter, {
  group: 'Texts',
  uses: 'long message split too long 2000 4000',
  inOut: ['a text of 100,000 characters', 'chunks'],
  shown: ['count', 'total_length'],
});
