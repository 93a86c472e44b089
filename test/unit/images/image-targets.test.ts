import { describe, expect, test } from 'vitest';

import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { readImageType } from '../../../src/images/image-type.ts';
import { IMAGE_TARGETS, judgeImage, type ImageTargetName } from '../../../src/images/targets.ts';
import {
  avif,
  frameControl,
  gif,
  jpeg,
  noise,
  png,
  webpExtended,
  webpLossy,
} from '../../fixtures/image-files.ts';

const typeOf = (file: Buffer) => readImageType(new ImageBytes(file));
const judge = (file: Buffer, target: ImageTargetName) =>
  judgeImage({ ...typeOf(file), size: file.length }, target);

describe('the duration of an animation, from its headers', () => {
  test.each([
    ['gif of 3 frames', gif(8, 8, { frames: 3, delay: 25 }), 0.75],
    ['gif cut off after its third frame', gif(8, 8, { frames: 3, delay: 25 }).subarray(0, -1), 0.75],
    ['gif without times: as it is shown', gif(8, 8, { frames: 3, delay: 0 }), 0.3],
    ['gif of 10 ms: as it is shown', gif(8, 8, { frames: 3, delay: 1 }), 0.3],
    ['gif of 20 ms', gif(8, 8, { frames: 3, delay: 2 }), 0.06],
    ['apng', png(8, 8, { frames: 4, delay: [1, 8] }), 0.5],
    ['apng in hundredths', png(8, 8, { frames: 4, delay: [25, 0] }), 1],
    ['apng whose first picture is no frame', png(8, 8, { frames: 2, delay: [1, 2] }), 1],
    [
      'apng whose first picture is a frame',
      png(8, 8, { frames: 2, chunks: [frameControl(8, 8, [3, 10])] }),
      0.3,
    ],
    ['animated webp', webpExtended(8, 8, { flags: 2, frames: 5, ms: 40 }), 0.2],
    ['animated webp without times', webpExtended(8, 8, { flags: 2, frames: 5, ms: 0 }), 0.5],
    ['animated webp of 1 frame', webpExtended(8, 8, { flags: 2, frames: 1 }), null],
    ['gif of 1 frame', gif(8, 8), null],
    ['png', png(8, 8), null],
    ['jpeg', jpeg(8, 8), null],
    ['webp', webpLossy(8, 8), null],
    ['avif sequence', avif(8, 8, { brands: ['avis', 'avif'] }), null],
  ])('is read: %s', (_name, file, seconds) => {
    expect(typeOf(file).seconds).toBe(seconds);
  });
});

const PNG_JPEG_GIF = 'image/png, image/jpeg, image/gif';
/** The same files for every target: of 320 and of 2,000 pixels, of a few bytes and of 600 KiB, of 4 and of 6 seconds. */
const large = (file: Buffer) => Buffer.concat([file, noise(600 * 1_024)]);
const FILES = {
  png: png(320, 320),
  'large png': large(png(320, 320)),
  'wide png': png(2_000, 300),
  'high png': png(300, 2_000),
  apng: png(320, 320, { frames: 4, delay: [1, 1] }),
  'large apng': large(png(320, 320, { frames: 4, delay: [1, 1] })),
  'long apng': png(320, 320, { frames: 6, delay: [1, 1] }),
  jpeg: jpeg(320, 320),
  'large jpeg': large(jpeg(320, 320)),
  'wide jpeg': jpeg(2_000, 300),
  webp: webpLossy(320, 320),
  'large webp': large(webpLossy(320, 320)),
  'wide webp': webpLossy(2_000, 300),
  'animated webp': webpExtended(320, 320, { flags: 2, frames: 4, ms: 1_000 }),
  'large animated webp': large(webpExtended(320, 320, { flags: 2, frames: 4, ms: 1_000 })),
  'wide animated webp': webpExtended(2_000, 300, { flags: 2, frames: 4, ms: 1_000 }),
  'long webp': webpExtended(320, 320, { flags: 2, frames: 6, ms: 1_000 }),
  gif: gif(320, 320),
  'large gif': large(gif(320, 320)),
  'wide gif': gif(2_000, 300),
  'animated gif': gif(320, 320, { frames: 50, delay: 10 }),
  'large animated gif': large(gif(320, 320, { frames: 50, delay: 10 })),
  'wide animated gif': gif(2_000, 300, { frames: 50, delay: 10 }),
  'long gif': gif(320, 320, { frames: 51, delay: 10 }),
  avif: avif(320, 320),
  'large avif': large(avif(320, 320)),
  'wide avif': avif(2_000, 300),
};
type FileName = keyof typeof FILES;

const large256 = (name: FileName) => `bytes 262144 ${FILES[name].length}`;
const large512 = (name: FileName) => `bytes 524288 ${FILES[name].length}`;
const no = (type: string, taken: string) => `type ${taken} ${type}`;
const sticker = (type: string) => no(type, 'image/png, image/gif');
const imageData = {
  webp: [no('image/webp', PNG_JPEG_GIF)],
  'large webp': [no('image/webp', PNG_JPEG_GIF)],
  'wide webp': [no('image/webp', PNG_JPEG_GIF)],
  'large animated webp': [no('image/webp', PNG_JPEG_GIF)],
  'wide animated webp': [no('image/webp', PNG_JPEG_GIF)],
  'animated webp': [no('image/webp', PNG_JPEG_GIF)],
  'long webp': [no('image/webp', PNG_JPEG_GIF)],
  avif: [no('image/avif', PNG_JPEG_GIF)],
  'large avif': [no('image/avif', PNG_JPEG_GIF)],
  'wide avif': [no('image/avif', PNG_JPEG_GIF)],
};
const splash = (type: string) => [no(type, 'image/png, image/jpeg')];

/** All that does not fit, by target. What is not named here fits. */
const VERDICTS: Record<ImageTargetName, Partial<Record<FileName, readonly string[]>>> = {
  emoji: {
    'large png': [large256('large png')],
    'large apng': [large256('large apng')],
    'large jpeg': [large256('large jpeg')],
    'large webp': [large256('large webp')],
    'large animated webp': [large256('large animated webp')],
    'large gif': [large256('large gif')],
    'large animated gif': [large256('large animated gif')],
    'large avif': [large256('large avif')],
  },
  sticker: {
    'large png': [large512('large png')],
    'large apng': [large512('large apng')],
    'wide png': ['width 320 2000'],
    'high png': ['height 320 2000'],
    'long apng': ['seconds 5 6'],
    jpeg: [sticker('image/jpeg')],
    'large jpeg': [sticker('image/jpeg'), large512('large jpeg')],
    'wide jpeg': [sticker('image/jpeg'), 'width 320 2000'],
    webp: [sticker('image/webp')],
    'large webp': [sticker('image/webp'), large512('large webp')],
    'wide webp': [sticker('image/webp'), 'width 320 2000'],
    'large animated webp': [sticker('image/webp'), large512('large animated webp')],
    'wide animated webp': [sticker('image/webp'), 'width 320 2000'],
    'animated webp': [sticker('image/webp')],
    'long webp': [sticker('image/webp'), 'seconds 5 6'],
    'large gif': [large512('large gif')],
    'wide gif': ['width 320 2000'],
    'large animated gif': [large512('large animated gif')],
    'wide animated gif': ['width 320 2000'],
    'long gif': ['seconds 5 5.1'],
    avif: [sticker('image/avif')],
    'large avif': [sticker('image/avif'), large512('large avif')],
    'wide avif': [sticker('image/avif'), 'width 320 2000'],
  },
  avatar: imageData,
  banner: imageData,
  icon: imageData,
  role_icon: {
    ...imageData,
    'large png': [large256('large png')],
    'large apng': [large256('large apng')],
    'large jpeg': [large256('large jpeg')],
    'large gif': [large256('large gif')],
    'large animated gif': [large256('large animated gif')],
    'large webp': [...imageData['large webp'], large256('large webp')],
    'large animated webp': [...imageData['large animated webp'], large256('large animated webp')],
    'large avif': [...imageData['large avif'], large256('large avif')],
  },
  splash: {
    webp: splash('image/webp'),
    'large webp': splash('image/webp'),
    'wide webp': splash('image/webp'),
    'large animated webp': splash('image/webp'),
    'wide animated webp': splash('image/webp'),
    'animated webp': splash('image/webp'),
    'long webp': splash('image/webp'),
    gif: splash('image/gif'),
    'large gif': splash('image/gif'),
    'wide gif': splash('image/gif'),
    'animated gif': splash('image/gif'),
    'large animated gif': splash('image/gif'),
    'wide animated gif': splash('image/gif'),
    'long gif': splash('image/gif'),
    avif: splash('image/avif'),
    'large avif': splash('image/avif'),
    'wide avif': splash('image/avif'),
  },
};

describe.each(Object.keys(IMAGE_TARGETS) as ImageTargetName[])('for %s', (target) => {
  test.each(Object.keys(FILES) as FileName[])("a %s gets the verdict of Discord's documents", (name) => {
    const problems = judge(FILES[name], target).map(({ kind, limit, value }) => `${kind} ${limit} ${value}`);
    expect(problems).toEqual(VERDICTS[target][name] ?? []);
  });
});
