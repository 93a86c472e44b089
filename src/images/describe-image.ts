import type { ImageBytes } from './image-bytes.ts';
import type { FetchedImage, ImageFormat } from './image-fetcher.ts';
import { base64Text } from './image-text.ts';
import { readImageType } from './image-type.ts';

/**
 * Discord takes PNG, JPEG, GIF, WebP and AVIF of up to 256 KiB for emoji, so only the size can be wrong.
 * {@link https://docs.discord.com/developers/resources/emoji#create-guild-emoji}
 */
const EMOJI_BYTES_MAX = 256 * 1024;

/**
 * A file as an answer. It is released by the shell, or when the period is over: a caller who does not read must not
 * keep a place from others.
 * @param timeoutMs how long the answer may take
 * @param release gives place and memory back; a second call must do nothing
 * @throws Problem `image_not_an_image`, `image_svg_refused`, `image_too_many_pixels`
 */
export function describeImage(
  bytes: ImageBytes,
  format: ImageFormat,
  timeoutMs: number,
  release: () => void,
): FetchedImage {
  const { mimeType, width, height, animated } = readImageType(bytes);
  const timer = setTimeout(release, timeoutMs).unref();

  return {
    base64: format === 'data_uri' ? null : base64Text(bytes, ''),
    dataUri: format === 'base64' ? null : base64Text(bytes, `data:${mimeType};base64,`),
    mimeType,
    size: bytes.length,
    width,
    height,
    animated,
    emojiOk: bytes.length <= EMOJI_BYTES_MAX,
    release() {
      clearTimeout(timer);
      release();
    },
  };
}
