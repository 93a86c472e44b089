/** Accepted types, recognised by their bytes. */
export type ImageMimeType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/avif';

/** Read from the bytes of a file before any pixel is decoded. Width and height are in pixels. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
  /** Length of one run of an animation; null for a still image, and for AVIF, whose times are not read. */
  readonly seconds: number | null;
}

/** Browsers and Discord's apps show a frame of at most 10 ms, 0 included, for 100 ms. */
export function shownMs(frameMs: number): number {
  return frameMs <= 10 ? 100 : frameMs;
}
