import { imageToBase64 } from '../../../operations/image-to-base64/operation.ts';
import { present } from './presentation.ts';

export const imageToBase64Presentation = present(imageToBase64, {
  group: 'Images',
  uses: 'emoji sticker avatar',
  inOut: ['a URL', 'base64 or a data URI'],
  shown: ['mime_type', 'size', 'width', 'height', 'animated', 'emoji_ok'],
});
