import { base64Text, type ImageBytes } from './image-bytes.ts';
import type { FetchedImage, ImageInfo, ImageFormat } from './image-fetcher.ts';
import type { ImageType } from './image-type.ts';
import { judgeImage, type ImageTargetName } from './targets.ts';

export interface DescribeOptions {
  readonly format: ImageFormat;
  readonly target: ImageTargetName | null;
  readonly before: ImageInfo | null;
  /** Deadline of the answer. */
  readonly timeoutMs: number;
  /** Releases the job's slot and memory. A second call must have no effect. */
  readonly release: () => void;
}

/**
 * Turns a file into an answer. The sender releases it when it is written, or else the deadline does, so that a caller
 * who does not read cannot keep a slot.
 */
export function describeImage(
  bytes: ImageBytes,
  type: ImageType,
  { format, target, before, timeoutMs, release }: DescribeOptions,
): FetchedImage {
  const info = imageInfoOf(bytes, type);
  const timer = setTimeout(release, timeoutMs).unref();

  return {
    ...info,
    base64: format === 'data_uri' ? null : base64Text(bytes, ''),
    dataUri: format === 'base64' ? null : base64Text(bytes, `data:${info.mimeType};base64,`),
    emojiOk: judgeImage({ ...type, size: bytes.length }, 'emoji').length === 0,
    problems: target === null ? null : judgeImage({ ...type, size: bytes.length }, target),
    before,
    release() {
      clearTimeout(timer);
      release();
    },
  };
}

export function imageInfoOf(bytes: ImageBytes, { mimeType, width, height, animated }: ImageType): ImageInfo {
  return { mimeType, size: bytes.length, width, height, animated };
}
