import type { LargeValue } from '../large-value.ts';

export type ImageFormat = 'base64' | 'data_uri' | 'both';

/** An image from an address that nobody vouches for, checked by its bytes. */
export interface FetchedImage {
  /** null unless the format asks for it. */
  readonly base64: LargeValue | null;
  readonly dataUri: LargeValue | null;
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/avif';
  /** Bytes of the file. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
  /** Small enough and of a type that Discord takes for an emoji. */
  readonly emojiOk: boolean;
  /** Gives the job's place back. To be called once the answer is written or dropped; a second call does nothing. */
  release(): void;
}

export interface ImageFetcher {
  /**
   * @param guildId whose share of the job places is used
   * @throws Problem `image_…` or `busy`
   */
  fetch(url: string, format: ImageFormat, guildId: string, signal: AbortSignal): Promise<FetchedImage>;
}
