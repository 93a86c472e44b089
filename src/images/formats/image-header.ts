/** What the first bytes of a file say of the image. Pixels. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}
