import type { LargeValue } from '../large-value.ts';
import type { ImageMimeType } from './formats/image-header.ts';
import type { ImageProblem, ImageTargetName } from './targets.ts';

export type ImageFormat = 'base64' | 'data_uri' | 'both';

/** What an image is for. */
export interface ImageAim {
  readonly target: ImageTargetName;
  /** Whether it is made to fit where it does not. */
  readonly fit: boolean;
}

/** What is said of a file. */
export interface ImageFacts {
  readonly mimeType: ImageMimeType;
  /** Bytes of the file. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}

/** An image from an address that nobody vouches for, checked by its bytes. */
export interface FetchedImage extends ImageFacts {
  /** null unless the format asks for it. */
  readonly base64: LargeValue | null;
  readonly dataUri: LargeValue | null;
  /** Small enough and of a type that Discord takes for an emoji. */
  readonly emojiOk: boolean;
  /** What of it Discord would not take; null unless it is known what it is for. */
  readonly problems: readonly ImageProblem[] | null;
  /** The file as it was fetched, where another one was made of it. */
  readonly before: ImageFacts | null;
  /** Gives the job's place back. To be called once the answer is written or dropped; a second call does nothing. */
  release(): void;
}

export interface ImageFetcher {
  /**
   * @param guildId whose share of the job places is used
   * @param aim what it is for; the answer is about the file that was made, if one was
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
