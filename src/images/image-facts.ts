import type { ImageMimeType } from './formats/image-header.ts';

/** Facts about a file for an answer. */
export interface ImageFacts {
  readonly mimeType: ImageMimeType;
  /** Bytes of the file. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}
