import type { StreamedValue } from '../kernel/streamed-value.ts';
import type { ImageMimeType } from './formats/image-header.ts';
import type { ImageProblem, ImageTargetName } from './targets.ts';

export type ImageFormat = 'base64' | 'data_uri' | 'both';

export interface ImagePurpose {
  readonly target: ImageTargetName;
  /** True to fit the image when it breaks a limit. */
  readonly mustFit: boolean;
}

export interface ImageInfo {
  readonly mimeType: ImageMimeType;
  /** Bytes of the file. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}

/** An image from an untrusted URL, checked by its bytes. */
export interface FetchedImage extends ImageInfo {
  /** null unless the format asks for it. */
  readonly base64: StreamedValue | null;
  readonly dataUri: StreamedValue | null;
  /** True when it is small enough and of a type that Discord accepts for an emoji. */
  readonly emojiOk: boolean;
  /** Reasons why Discord would refuse it, or null when its use is not known. */
  readonly problems: readonly ImageProblem[] | null;
  /** The fetched file, if a new one was made from it, or null. */
  readonly before: ImageInfo | null;
  /** Releases the job's slot. Call it once the answer is written or dropped. A second call has no effect. */
  release(): void;
}

export interface ImageFetcher {
  /**
   * Fetches an image.
   * @param guildId the job takes a slot from this guild's share
   * @param purpose what the image is for; the answer is about the new file, if one was made
   * @throws Problem `image_…` or `busy`
   */
  fetch(
    url: string,
    format: ImageFormat,
    guildId: string,
    signal: AbortSignal,
    purpose?: ImagePurpose,
  ): Promise<FetchedImage>;
}
