/** A path that belongs to no operation, and its name in logs and metrics. */
export interface Endpoint {
  readonly name: string;
  readonly path: string;
}
