import { textSplitter } from '../../../operations/text-splitter/operation.ts';
import { present } from './presentation.ts';

export const textSplitterPresentation = present(textSplitter, {
  group: 'Texts',
  inOut: ['a text of 100,000 characters', 'chunks'],
  shown: ['count', 'total_length'],
});
