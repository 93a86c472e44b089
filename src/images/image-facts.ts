/** What is said of a file. */
export interface ImageFacts {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/avif';
  /** Bytes of the file. */
  readonly size: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}
