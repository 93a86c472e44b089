import type { ImageMimeType } from './formats/image-header.ts';

export interface ImageFacts {
  readonly mimeType: ImageMimeType;
  /** Bytes of the file. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}
