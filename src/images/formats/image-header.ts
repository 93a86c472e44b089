/** The types that are let in, by their bytes. */
export type ImageMimeType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/avif';

/** What the bytes of a file say of the image before any pixel is decoded. Pixels. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
  /** How long one run of an animation lasts; null for a still image, and for AVIF, whose times are not read. */
  readonly seconds: number | null;
}

/** Browsers and Discord's apps show a frame of at most 10 ms, none at all included, for 100 ms. */
export function shownMs(frameMs: number): number {
  return frameMs <= 10 ? 100 : frameMs;
}
