/** The URL of the API for callers. With PORT=0 it is known once HTTP is open. */
export class PublicUrl {
  readonly #given: string | null;
  #port: number;

  /** @param given PUBLIC_URL, without a slash at the end; null for the port on this machine */
  constructor(given: string | null, port: number) {
    this.#given = given;
    this.#port = port;
  }

  get value(): string {
    return this.#given ?? `http://localhost:${this.#port}`;
  }

  opened(port: number): void {
    this.#port = port;
  }
}
