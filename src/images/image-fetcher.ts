import type { LargeValue } from '../kernel/large-value.ts';
import type { ImageMimeType } from './formats/image-header.ts';
import type { ImageProblem, ImageTargetName } from './targets.ts';

export type ImageFormat = 'base64' | 'data_uri' | 'both';

/** The use of an image. */
export interface ImageAim {
  readonly target: ImageTargetName;
  /** True to make the image fit when it does not. */
  readonly fit: boolean;
}

export interface ImageFacts {
  readonly mimeType: ImageMimeType;
  /** Bytes of the file. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}

/** An image from an untrusted address, checked by its bytes. */
export interface FetchedImage extends ImageFacts {
  /** null unless the format asks for it. */
  readonly base64: LargeValue | null;
  readonly dataUri: LargeValue | null;
  /** True when it is small enough and of a type that Discord takes for an emoji. */
  readonly emojiOk: boolean;
  /** Reasons why Discord would not take it; null when its use is not known. */
  readonly problems: readonly ImageProblem[] | null;
  /** The file as it was fetched, if a new one was made from it; otherwise null. */
  readonly before: ImageFacts | null;
  /** Gives the job's place back. Call it once the answer is written or dropped; a second call does nothing. */
  release(): void;
}

export interface ImageFetcher {
  /**
   * @param guildId the job takes a place from this guild's share
   * @param aim what the image is for; the answer is about the new file, if one was made
   * @throws Problem `image_…` or `busy`
   */
  fetch(
    url: string,
    format: ImageFormat,
    guildId: string,
    signal: AbortSignal,
    aim?: ImageAim,
  ): Promise<FetchedImage>;
}
