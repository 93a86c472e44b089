/** The address at which callers reach the API. With PORT=0 it is known once HTTP is open. */
export class PublicAddress {
  readonly #given: string | null;
  #port: number;

  /** @param given PUBLIC_URL, without a slash at the end; null for the port on this machine */
  constructor(given: string | null, port: number) {
    this.#given = given;
    this.#port = port;
  }

  get url(): string {
    return this.#given ?? `http://localhost:${this.#port}`;
  }

  opened(port: number): void {
    this.#port = port;
  }
}
