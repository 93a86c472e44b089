/**
 * A part of the service that is loaded when it is first needed. A load that fails, as it does when there are no file
 * descriptors left, fails those who wait for it, and the next one who asks tries again.
 */
export class LatePart<Part> {
  readonly #load: () => Promise<Part>;
  #loading: Promise<Part> | null = null;
  #loaded: Part | null = null;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  /** null before it is there. */
  get loaded(): Part | null {
    return this.#loaded;
  }

  get(): Promise<Part> {
    this.#loading ??= this.#load().then(
      (part) => (this.#loaded = part),
      (error: unknown) => {
        this.#loading = null;
        throw error;
      },
    );
    return this.#loading;
  }

  /** For whoever closes it: the part once a load that has begun is over, null if there is none. Never rejects. */
  async whenLoaded(): Promise<Part | null> {
    return (await this.#loading?.catch(() => null)) ?? null;
  }
}
